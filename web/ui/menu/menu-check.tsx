import Check from 'lucide-react/icons/check'
import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import styles from './menu.module.css'

interface MenuCheckProps {
  checked: boolean
  onClick: () => void
  children: ReactNode
}

/** On or off. The menu stays open, because often several are changed. */
export function MenuCheck({ checked, onClick, children }: MenuCheckProps) {
  return (
    <button
      type="button"
      role="menuitemcheckbox"
      tabIndex={-1}
      aria-checked={checked}
      className={styles.item}
      onClick={onClick}
    >
      <span className={styles.check}>{checked && <Icon of={Check} />}</span>
      <span className={styles.text}>{children}</span>
    </button>
  )
}
