import { useRouter } from '@tanstack/react-router'
import Search from 'lucide-react/icons/search'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { PaletteCommand } from '#web/lib/palette/palette-command.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { messageText } from '#web/lib/texts/i18n.ts'
import { CommandButton } from '#web/ui/command/command-button.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { captureTyping } from './capture-typing.ts'
import { type LoadedPalette, loadPalette } from './load-palette.ts'

/** The way to everything by typing: a button of the header, and Ctrl+K or Cmd+K anywhere. */
export function Palette() {
  const { t } = useTranslation()
  const { passwordMustChange, mustEnrol } = useSignedIn().me
  const isHeldUp = passwordMustChange || mustEnrol
  const button = useRef<HTMLButtonElement>(null)
  const { palette, prefetchParts, open, opening, setOpen, show } = useDialog()
  const typed = useRef<() => string>(undefined)
  const cameFrom = useRef<Element>(null)
  const chosen = useRef(false)

  const opener = () => {
    const element = cameFrom.current
    return element instanceof HTMLElement && element.isConnected && element !== document.body ? element : button.current
  }
  const takeTyped = () => {
    const text = typed.current?.() ?? ''
    typed.current = undefined
    return text
  }
  const start = async () => {
    // Opened twice before its part has come, or by its key where there is no palette.
    if (typed.current || isHeldUp) return
    cameFrom.current = document.activeElement
    chosen.current = false
    typed.current = captureTyping(t('palette'))
    if (await show()) return
    takeTyped()
    opener()?.focus({ preventScroll: true })
  }
  const latestStart = useRef(start)
  latestStart.current = start
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return
      // Never the browser's own search, whether it opens or not: the same key does the same thing everywhere.
      event.preventDefault()
      // One dialog at a time: what is typed in it stays, and the leave guard has nothing to ask.
      if (!event.repeat && !document.querySelector(openDialog)) void latestStart.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  // Until the password is changed there is nowhere to go.
  if (isHeldUp) return null
  const choose = (command: PaletteCommand) => {
    chosen.current = true
    // Close and return the focus first: the command may move the focus itself.
    flushSync(() => setOpen(false))
    opener()?.focus({ preventScroll: true })
    command.run()
  }
  return (
    <>
      <CommandButton
        ref={button}
        icon={Search}
        label={t('palette')}
        keys={isMac ? '⌘K' : 'Ctrl K'}
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onPointerEnter={prefetchParts}
        onFocus={prefetchParts}
        onClick={() => void start()}
      />
      {palette && (
        <palette.PaletteDialog
          finders={palette.finders}
          open={open}
          opening={opening}
          takeTyped={takeTyped}
          onClose={() => setOpen(false)}
          onChoose={choose}
          finalFocus={() => (chosen.current ? false : opener())}
        />
      )}
    </>
  )
}

// One that is fading out is closed.
const openDialog = ':is([role=dialog], [role=alertdialog]):not([data-closed])'
const isMac = /mac|iphone|ipad/i.test(navigator.platform)
const isShortcut = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent) =>
  (key === 'k' || key === 'K') && ctrlKey !== metaKey && !shiftKey && !altKey

/** The palette's parts, fetched when it is first wanted. */
function useDialog() {
  const router = useRouter()
  const [palette, setPalette] = useState<LoadedPalette>()
  const [open, setOpen] = useState(false)
  const [opening, setOpening] = useState(0)
  const show = async () => {
    try {
      setPalette(await loadPalette(router))
      setOpening((count) => count + 1)
      setOpen(true)
      return true
    } catch {
      toasts.show({ tone: 'danger', title: messageText('genericErrorMessage') })
      return false
    }
  }
  // On intent. A failure is told when somebody really asks.
  const prefetchParts = () => void loadPalette(router).catch(() => undefined)
  return { palette, prefetchParts, open, opening, setOpen, show }
}
