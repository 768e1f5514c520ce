import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import styles from './auth-frame.module.css'
import { Logo } from './logo.tsx'

interface AuthFrameProps {
  productName: string
  /** In place of the product's. */
  logo?: ReactNode
  /** Top right: the language select. */
  corner?: ReactNode
  /** Company heading and ways to reach support: `ContactFooter`. */
  footer?: ReactNode
  children: ReactNode
}

/** The page around every public screen: mark, one card, contact. On small screens the card dissolves into the page. */
export function AuthFrame({ productName, logo, corner, footer, children }: AuthFrameProps) {
  return (
    <div className={styles.frame}>
      <header className={styles.header}>{corner}</header>
      <main className={styles.main} id="main" tabIndex={-1}>
        <div className={styles.logo}>{logo ?? <Logo size={40} name={productName} />}</div>
        {children}
      </main>
      {footer}
    </div>
  )
}

interface AuthCardProps {
  title: string
  intro?: ReactNode
  /** 30 px, for pages that are a message and not a form. */
  large?: boolean | undefined
  /** For a page of text. */
  wide?: boolean
  children?: ReactNode
}

/** The one card of a public screen, with its h1. Put a form, alerts and links into it; they are spaced here. */
export function AuthCard({ title, intro, large, wide = false, children }: AuthCardProps) {
  return (
    <div className={classes(styles.card, wide && styles.wide)}>
      <div className={styles.heading}>
        <h1 tabIndex={-1} className={large ? styles.large : undefined}>
          {title}
        </h1>
        {intro && <div className={styles.intro}>{intro}</div>}
      </div>
      {children}
    </div>
  )
}
