import { Dialog as Base } from '@base-ui/react/dialog'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import X from 'lucide-react/icons/x'
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  use,
  useRef,
} from 'react'
import styles from './dialog.module.css'
import { IconButton } from './icon-button.tsx'

export interface DialogProps {
  open: boolean
  /** Escape, the close button, the scrim. A dirty form asks here before it really closes. */
  onClose: () => void
  title: string
  subtitle?: ReactNode
  closeLabel: string
  /** Lies above another dialog: on small screens it takes its place, with an arrow that leads back. */
  backLabel?: string | undefined
  /** 416, 480, 640, 720 and 800 px. */
  size?: 'confirm' | 'small' | 'form' | 'wide' | 'full' | undefined
  /** Body and footer become one form; Ctrl/Cmd+Enter sends it. */
  form?: Omit<ComponentProps<'form'>, 'children'> | undefined
  /** Cancel and save, in this order. */
  footer?: ReactNode
  /** Delete. */
  footerStart?: ReactNode
  /** The first field when something new is made, the title when something existing is opened, or a given element. */
  initialFocus?: 'first' | 'title' | RefObject<HTMLElement | null> | undefined
  /** Where the focus goes afterwards; otherwise back to where it came from. */
  finalFocus?: RefObject<HTMLElement | null> | undefined
  children: ReactNode
}

const Loads = createContext(false)
/** Around a dialog whose content may arrive while it is open; not for the dialogs above that one. */
export const DialogThatLoads = ({ children }: { children: ReactNode }) => <Loads value={true}>{children}</Loads>

export function Dialog(props: DialogProps) {
  const { open, onClose, title, subtitle, closeLabel, backLabel, size = 'form', initialFocus = 'title' } = props
  const { finalFocus } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const loads = use(Loads)
  const focusOnOpen = () => {
    if (initialFocus === 'title') return heading.current
    if (initialFocus === 'first') return body.current?.querySelector<HTMLElement>(fields) ?? heading.current
    return initialFocus.current
  }
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup
            className={styles.popup}
            data-size={size}
            data-above={backLabel ? true : undefined}
            data-steady={loads || undefined}
            initialFocus={focusOnOpen}
            {...(finalFocus && { finalFocus })}
          >
            <header className={styles.header}>
              {backLabel && (
                <Base.Close render={<IconButton icon={ArrowLeft} label={backLabel} />} className={styles.back} />
              )}
              <div className={styles.heading}>
                <Base.Title ref={heading} className={styles.title} tabIndex={-1}>
                  {title}
                </Base.Title>
                {subtitle && (
                  <Base.Description render={<div />} className={styles.subtitle}>
                    {subtitle}
                  </Base.Description>
                )}
              </div>
              <Base.Close render={<IconButton icon={X} label={closeLabel} />} className={styles.close} />
            </header>
            <Loads value={false}>
              <Content {...props} body={body} />
            </Loads>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

const fields =
  // To a browser a radio button is read-only.
  'input[type=radio]:not(:disabled), input:not([type=hidden], :read-only, :disabled), select:not(:disabled), textarea:not(:read-only, :disabled)'

function Content(props: DialogProps & { body: RefObject<HTMLDivElement | null> }) {
  const { form, footer, footerStart, body, children, title, size } = props
  // Text without fields is scrolled by keyboard only if its box can have the focus.
  const scrolls = !form && size !== 'confirm' && ({ tabIndex: 0, role: 'group', 'aria-label': title } as const)
  const inner = (
    <>
      <div ref={body} className={styles.body} {...scrolls}>
        {children}
      </div>
      {(footer || footerStart) && (
        <footer className={styles.footer}>
          {footerStart && <div className={styles.footerStart}>{footerStart}</div>}
          <div className={styles.footerEnd}>{footer}</div>
        </footer>
      )}
    </>
  )
  if (!form) return <div className={styles.content}>{inner}</div>
  return (
    <form
      noValidate
      {...form}
      className={styles.content}
      // React lets events of a nested dialog bubble up to here, although its form lies elsewhere in the page.
      onSubmit={(event) => event.target === event.currentTarget && form.onSubmit?.(event)}
      onKeyDown={sendOnCtrlEnter}
    >
      {inner}
    </form>
  )
}

function sendOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return
  event.preventDefault()
  // The save button decides: while it is loading it swallows the click, so nothing is sent twice.
  const save = event.currentTarget.querySelector<HTMLButtonElement>('button[type=submit]')
  if (save) save.click()
  else event.currentTarget.requestSubmit()
}
