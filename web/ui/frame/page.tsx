import type { ReactNode } from 'react'
import styles from './page.module.css'

interface AppFrameProps {
  skipLink: ReactNode
  topBar: ReactNode
  footer: ReactNode
  /** The page's address, for a printed copy. */
  address?: string | undefined
  children: ReactNode
}

/** The signed-in page: skip link, bar, main, footer at the bottom of the window at least. */
export function AppFrame({ skipLink, topBar, footer, address, children }: AppFrameProps) {
  return (
    <div className={styles.frame}>
      {skipLink}
      {topBar}
      <main className={styles.main} id="main" tabIndex={-1}>
        {children}
      </main>
      {footer}
      {address && <p className={styles.address}>{address}</p>}
    </div>
  )
}

interface PageHeadingProps {
  title: ReactNode
  /** A badge or two beside the title. */
  beside?: ReactNode
  /** One line below it. */
  subtitle?: ReactNode
  breadcrumb?: ReactNode
  /** The page's one primary action, right; full width on small screens. */
  action?: ReactNode
}

/** The page's only h1; a route change moves the focus to it. */
export function PageHeading({ title, beside, subtitle, breadcrumb, action }: PageHeadingProps) {
  return (
    <div className={styles.heading}>
      {breadcrumb}
      <div className={styles.line}>
        <div className={styles.title}>
          <h1 tabIndex={-1}>{title}</h1>
          {beside}
        </div>
        {action && <div className={styles.action}>{action}</div>}
      </div>
      {subtitle && <p className={styles.subtitle}>{subtitle}</p>}
    </div>
  )
}

/** A surface. `flush` leaves the padding to what lies in it, such as a table; `narrow` is the width of forms. */
export function Card({ children, flush, narrow }: { children: ReactNode; flush?: boolean; narrow?: boolean }) {
  return (
    <div className={styles.card} data-flush={flush} data-narrow={narrow}>
      {children}
    </div>
  )
}

/** Search left, filters after it; above a table, in the same card. */
export function Toolbar({ children }: { children: ReactNode }) {
  return (
    <div className={styles.toolbar} data-toolbar="">
      {children}
    </div>
  )
}

/** Fields below each other at the form's distance; `columns` puts them side by side where there is room. */
export function FormGrid({ children, columns }: { children: ReactNode; columns?: boolean }) {
  return (
    <div className={styles.form} data-columns={columns}>
      {children}
    </div>
  )
}

/** The buttons of a form: secondary first, primary last, right; stacked full width on small screens. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
