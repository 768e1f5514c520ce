import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useRef } from 'react'
import { Button } from './button.tsx'
import styles from './dialog.module.css'

interface SessionDialogProps {
  open: boolean
  title: string
  /** "0:45"; changes each second, for the eye only. */
  countdown: string
  text: string
  /** What screen readers hear: set it at 60 and at 20 seconds, not each second. */
  announcement: string
  stayLabel: string
  signOutLabel: string
  loading?: boolean | undefined
  onStay: () => void
  onSignOut: () => void
}

/** The session is about to end. Escape means staying, the harmless answer. */
export function SessionDialog(props: SessionDialogProps) {
  const { open, title, countdown, text, announcement, stayLabel, signOutLabel, loading, onStay, onSignOut } = props
  const stay = useRef<HTMLButtonElement>(null)
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onStay()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.scrim} />
        <AlertDialog.Viewport className={styles.viewport}>
          <AlertDialog.Popup className={styles.popup} data-size="confirm" initialFocus={stay}>
            <header className={styles.header}>
              <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
            </header>
            <div className={styles.body}>
              <p className={styles.countdown} aria-hidden="true">
                {countdown}
              </p>
              <AlertDialog.Description>{text}</AlertDialog.Description>
              <p className="vh" aria-live="polite">
                {announcement}
              </p>
            </div>
            <footer className={styles.footer}>
              <div className={styles.footerEnd}>
                <Button onClick={onSignOut}>{signOutLabel}</Button>
                <Button ref={stay} variant="primary" loading={loading} onClick={onStay}>
                  {stayLabel}
                </Button>
              </div>
            </footer>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
