import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Alert } from './alert.tsx'
import { Icon } from './icon.tsx'
import styles from './state.module.css'

interface EmptyStateProps {
  icon: LucideIcon
  /** One sentence. */
  children: ReactNode
  /** One way on. */
  action?: ReactNode
  /** One row in a frame, for a part of a page that has other things to show. */
  slim?: boolean | undefined
}

/** Nothing here, and what to do about it. */
export function EmptyState({ icon, children, action, slim }: EmptyStateProps) {
  return (
    <div className={styles.empty} data-slim={slim}>
      <Icon of={icon} size={slim ? 20 : 40} />
      <div className={styles.text}>{children}</div>
      {action}
    </div>
  )
}

interface ErrorStateProps {
  children: ReactNode
  /** "Try again". */
  action?: ReactNode
}

/** A part of the page that could not be loaded; the frame around it stays. */
export function ErrorState({ children, action }: ErrorStateProps) {
  return (
    <Alert tone="danger" live="alert" action={action}>
      {children}
    </Alert>
  )
}

interface MessagePageProps {
  title: string
  children?: ReactNode
  action?: ReactNode
  /** The 404 above the title. */
  code?: string | undefined
}

/** A whole page that is only a message: not found, no access, a fatal error. */
export function MessagePage({ title, children, action, code }: MessagePageProps) {
  return (
    <div className={styles.page}>
      {code && (
        <p className={styles.code} aria-hidden="true">
          {code}
        </p>
      )}
      <h1 tabIndex={-1}>
        {code && <span className="vh">{code} </span>}
        {title}
      </h1>
      {children && <div className={styles.text}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
