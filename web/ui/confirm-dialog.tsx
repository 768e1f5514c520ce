import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'
import styles from './dialog.module.css'

interface ConfirmDialogProps {
  open: boolean
  /** Names what it is about: "Delete Nordvik AB?" */
  title: string
  children?: ReactNode
  cancelLabel: string
  /** Repeats the verb: "Delete". */
  confirmLabel: string
  /** Destructive is red, and the focus starts on cancel. */
  tone?: 'danger' | 'primary' | undefined
  loading?: boolean | undefined
  /** Why it did not work, above the buttons. */
  error?: ReactNode
  /** Where the focus goes afterwards; `true`, as without it: back to where it was. */
  finalFocus?: (() => HTMLElement | null | true) | undefined
  onConfirm: () => void
  onCancel: () => void
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    open,
    title,
    children,
    cancelLabel,
    confirmLabel,
    tone = 'danger',
    loading,
    error,
    finalFocus,
    onConfirm,
    onCancel,
  } = props
  const cancel = useRef<HTMLButtonElement>(null)
  const confirm = useRef<HTMLButtonElement>(null)
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.scrim} />
        <AlertDialog.Viewport className={styles.viewport}>
          <AlertDialog.Popup
            className={styles.popup}
            data-size="confirm"
            initialFocus={tone === 'danger' ? cancel : confirm}
            finalFocus={finalFocus}
          >
            <header className={styles.header}>
              <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
            </header>
            {(children || error) && (
              <div className={styles.body}>
                {children && <AlertDialog.Description render={<div />}>{children}</AlertDialog.Description>}
                {error}
              </div>
            )}
            <footer className={styles.footer}>
              <div className={styles.footerEnd}>
                <Button ref={cancel} onClick={onCancel}>
                  {cancelLabel}
                </Button>
                <Button ref={confirm} variant={tone} loading={loading} onClick={onConfirm}>
                  {confirmLabel}
                </Button>
              </div>
            </footer>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
