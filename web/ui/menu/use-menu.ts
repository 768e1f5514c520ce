import {
  createContext,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

/** Closes the menu around it and gives the focus back to its button. */
export const MenuClosing = createContext<() => void>(() => undefined)

const items = '[role^=menuitem]'
const TYPING_PAUSE = 500

/** Opening, closing and moving about in a menu, as https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/ says. */
export function useMenu() {
  const [open, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  const start = useRef<'first' | 'last' | 'popup'>('popup')
  const typed = useRef({ text: '', at: 0 })

  const show = (from: typeof start.current) => {
    start.current = from
    setOpen(true)
  }
  const close = () => {
    setOpen(false)
    trigger.current?.focus()
  }

  // The pointer's menu waits for the pointer; the keyboard's begins at the chosen or the first entry.
  useLayoutEffect(() => {
    if (!open) return
    const entries = entriesOf(popup.current)
    const chosen = entries.find((entry) => entry.ariaChecked === 'true')
    const target = { first: chosen ?? entries[0], last: entries.at(-1), popup: popup.current }[start.current]
    target?.focus({ preventScroll: true })
  }, [open])

  const move = (event: KeyboardEvent) => {
    const entries = entriesOf(popup.current)
    const at = entries.indexOf(document.activeElement as HTMLElement)
    const go = (entry: HTMLElement | undefined) => {
      event.preventDefault()
      entry?.focus()
    }
    if (event.key === 'ArrowDown') return go(entries[(at + 1) % entries.length])
    if (event.key === 'ArrowUp') return go(entries.at(at <= 0 ? -1 : at - 1))
    if (event.key === 'Home') return go(entries[0])
    if (event.key === 'End') return go(entries.at(-1))
    if (event.key === 'Tab') return close()
    if (event.key === 'Escape') {
      // Not also the panel's or the dialog's Escape.
      event.preventDefault()
      event.stopPropagation()
      return close()
    }
    if (event.key === ' ' && document.activeElement instanceof HTMLAnchorElement) {
      event.preventDefault()
      return document.activeElement.click()
    }
    if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const { text, at: last } = typed.current
      const word = (event.timeStamp - last < TYPING_PAUSE ? text : '') + event.key.toLocaleLowerCase()
      typed.current = { text: word, at: event.timeStamp }
      const from = word.length === 1 ? at + 1 : Math.max(at, 0)
      go([...entries.slice(from), ...entries.slice(0, from)].find((entry) => begins(entry, word)))
    }
  }

  return {
    open,
    close,
    boxProps: {
      onBlur: (event: FocusEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      },
    },
    triggerProps: {
      ref: trigger,
      // Taking the focus would close the menu before the click could.
      onPointerDown: (event: PointerEvent) => open && event.preventDefault(),
      onMouseDown: (event: MouseEvent) => open && event.preventDefault(),
      onClick: (event: MouseEvent) => (open ? close() : show(event.detail === 0 ? 'first' : 'popup')),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        show(event.key === 'ArrowDown' ? 'first' : 'last')
      },
    },
    popupProps: {
      ref: popup,
      onKeyDown: move,
      onPointerMove: (event: PointerEvent) => {
        const entry = event.target instanceof Element ? event.target.closest<HTMLElement>(items) : null
        if (entry && entry !== document.activeElement) entry.focus({ preventScroll: true })
      },
    },
  }
}

const entriesOf = (popup: HTMLElement | null) => [...(popup?.querySelectorAll<HTMLElement>(items) ?? [])]
const begins = (entry: HTMLElement, word: string) => entry.textContent.trim().toLocaleLowerCase().startsWith(word)
