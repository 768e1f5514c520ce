import CircleCheck from 'lucide-react/icons/circle-check'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { Icon } from '../icon.tsx'
import { IconButton } from '../icon-button.tsx'
import styles from './toast.module.css'
import { type Toast, type ToastStore, toasts } from './toast-store.ts'
import { useSwipe } from './use-swipe.ts'
import { useToastSpace } from './use-toast-space.ts'

interface ToastRegionProps {
  /** "Notifications (F6)". */
  label: string
  closeLabel: string
  store?: ToastStore | undefined
}

const none: readonly Toast[] = []

/** One per page. Outside #root, so that it is above dialogs and announced while one is open. */
export function ToastRegion({ label, closeLabel, store = toasts }: ToastRegionProps) {
  const list = useSyncExternalStore(store.subscribe, store.all, () => none)
  const region = useRef<HTMLElement>(null)
  const cameFrom = useRef<Element | null>(null)
  const [mounted, setMounted] = useState(false)
  const [attended, setAttended] = useState(false)
  const [away, setAway] = useState(false)
  const anyOpen = list.some(({ open }) => open)

  // The prerendered page has no body to hang it on yet.
  useEffect(() => setMounted(true), [])
  useToastSpace(region, mounted)
  useEffect(() => store.pause(attended || away), [store, attended, away])
  useEffect(() => {
    const look = () => setAway(document.hidden)
    const jump = (event: KeyboardEvent) => {
      const place = region.current
      if (event.key !== 'F6' || !place?.querySelector('[data-open]')) return
      event.preventDefault()
      if (place.contains(document.activeElement)) return giveFocusBack(cameFrom.current)
      cameFrom.current = document.activeElement
      place.focus()
    }
    document.addEventListener('visibilitychange', look)
    document.addEventListener('keydown', jump)
    return () => {
      document.removeEventListener('visibilitychange', look)
      document.removeEventListener('keydown', jump)
    }
  }, [])
  useEffect(() => {
    if (anyOpen) return
    setAttended(false)
    if (region.current?.contains(document.activeElement)) giveFocusBack(cameFrom.current)
  }, [anyOpen])

  if (!mounted) return null
  return createPortal(
    <section
      ref={region}
      className={styles.region}
      aria-label={label}
      aria-live="polite"
      aria-relevant="additions"
      tabIndex={-1}
      onPointerEnter={() => setAttended(true)}
      onPointerLeave={(event) => setAttended(event.currentTarget.contains(document.activeElement))}
      onFocus={() => setAttended(true)}
      onBlur={(event) => setAttended(event.currentTarget.contains(event.relatedTarget))}
    >
      {list.map((toast) => (
        <ToastCard key={toast.id} toast={toast} closeLabel={closeLabel} onDismiss={() => store.dismiss(toast.id)} />
      ))}
    </section>,
    document.body,
  )
}

interface ToastCardProps {
  toast: Toast
  closeLabel: string
  onDismiss: () => void
}

function ToastCard({ toast, closeLabel, onDismiss }: ToastCardProps) {
  const swipe = useSwipe(onDismiss)
  const dismiss = () => {
    // The button is about to vanish under the focus: hand it to the region, which stays.
    const place = swipe.ref.current?.parentElement
    if (place?.contains(document.activeElement)) place.focus()
    onDismiss()
  }
  return (
    <div
      {...swipe}
      className={styles.toast}
      data-tone={toast.tone}
      data-open={toast.open || undefined}
      inert={!toast.open}
      role={toast.tone === 'danger' ? 'alert' : undefined}
    >
      <Icon of={toast.tone === 'danger' ? CircleAlert : CircleCheck} size={20} />
      <div className={styles.text}>
        <p className={styles.title}>{toast.title}</p>
        {toast.content && <p>{toast.content}</p>}
      </div>
      <IconButton icon={X} label={closeLabel} className={styles.close} onClick={dismiss} />
    </div>
  )
}

function giveFocusBack(element: Element | null) {
  if (element instanceof HTMLElement && element.isConnected) element.focus()
}
