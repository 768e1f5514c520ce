import MenuIcon from 'lucide-react/icons/menu'
import X from 'lucide-react/icons/x'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from '../icon-button.tsx'
import styles from './top-bar.module.css'

interface TopBarProps {
  /** The mark as a link home. */
  home: ReactNode
  /** `TopBarLink`s and menus; on wide screens only. */
  links: ReactNode
  /** What opens the command dialog; on every screen. */
  search?: ReactNode
  /** The organisation: a label for one, a menu for more; on every screen. */
  organization?: ReactNode
  /** The account menu; on wide screens only. */
  account?: ReactNode
  /** Everything that small screens show behind the toggle: `PanelLink`s and `PanelGroup`s. */
  panel: ReactNode
  navLabel: string
  openLabel: string
  closeLabel: string
  open: boolean
  /** Close it on a route change, too: only the shell knows of one. */
  onOpenChange: (open: boolean) => void
}

export function TopBar(props: TopBarProps) {
  const { home, links, search, organization, account, panel, navLabel, openLabel, closeLabel, open, onOpenChange } =
    props
  const toggle = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!open) return
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      onOpenChange(false)
      toggle.current?.focus()
    }
    document.addEventListener('keydown', closeOnEscape)
    return () => document.removeEventListener('keydown', closeOnEscape)
  }, [open, onOpenChange])

  return (
    <header className={styles.bar}>
      <div className={styles.inner}>
        <div className={styles.home}>{home}</div>
        <nav className={styles.links} aria-label={navLabel}>
          {links}
        </nav>
        <div className={styles.end}>
          {organization && <div className={styles.organization}>{organization}</div>}
          {search}
          <div className={styles.account}>{account}</div>
          <IconButton
            ref={toggle}
            className={styles.toggle}
            icon={open ? X : MenuIcon}
            label={open ? closeLabel : openLabel}
            aria-expanded={open}
            aria-controls={open ? 'top-bar-panel' : undefined}
            onClick={() => onOpenChange(!open)}
          />
        </div>
      </div>
      {open && (
        <nav className={styles.panel} id="top-bar-panel" aria-label={navLabel}>
          {panel}
        </nav>
      )}
    </header>
  )
}

/** A link of the bar; `aria-current="page"` marks where one is. Takes a router through `createLink(TopBarLink)`. */
export function TopBarLink(props: ComponentProps<'a'>) {
  return <a {...props} className={styles.link} />
}

/** The same in the small screens' panel, finger-high. */
export function PanelLink(props: ComponentProps<'a'>) {
  return <a {...props} className={styles.panelLink} />
}

/** For panel entries that act instead of leading somewhere, such as a language select or a sign-out. */
export function PanelGroup({ label, children }: { label?: string | undefined; children: ReactNode }) {
  return (
    <div className={styles.panelGroup}>
      {label && <p className={styles.panelLabel}>{label}</p>}
      {children}
    </div>
  )
}
