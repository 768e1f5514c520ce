import { type ReactNode, useId } from 'react'
import styles from './menu.module.css'

/** The end of a menu, such as the way out: it stays in sight where the menu scrolls. */
export const MenuEnd = ({ children }: { children: ReactNode }) => (
  <div role="none" className={styles.pinned}>
    {children}
  </div>
)

interface MenuGroupProps {
  label: string | null
  children: ReactNode
}

/** Entries that belong together, with a name where there are several groups. */
export function MenuGroup({ label, children }: MenuGroupProps) {
  const id = useId()
  if (label === null) return children
  return (
    // biome-ignore lint/a11y/useSemanticElements: a menu allows groups, but no fieldsets
    <div role="group" aria-labelledby={id}>
      <div id={id} className={styles.groupLabel}>
        {label}
      </div>
      {children}
    </div>
  )
}

/** A line that is only read. */
export function MenuNote({ children }: { children: ReactNode }) {
  return (
    <div role="none" className={styles.groupLabel}>
      {children}
    </div>
  )
}

export function MenuSeparator() {
  return <hr className={styles.separator} />
}
