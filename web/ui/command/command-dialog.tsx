import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useRef } from 'react'
import { classes } from '../classes.ts'
import dialog from '../dialog.module.css'
import styles from './command-dialog.module.css'

interface CommandDialogProps {
  open: boolean
  onClose: () => void
  /** Where the focus goes; false where the caller has seen to it. */
  finalFocus: () => HTMLElement | false | null
  title: string
  /** A `CommandList`; it lives as long as the dialog is open, and so does what is typed. */
  children: ReactNode
}

/** The frame of a dialog in which typing finds things to do. */
export function CommandDialog({ open, onClose, finalFocus, title, children }: CommandDialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog.scrim} />
        <Dialog.Viewport className={classes(dialog.viewport, styles.viewport)}>
          <Dialog.Popup
            ref={popup}
            className={classes(dialog.popup, styles.popup)}
            initialFocus={() => popup.current?.querySelector('input')}
            finalFocus={finalFocus}
          >
            <Dialog.Title className="vh">{title}</Dialog.Title>
            {children}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
