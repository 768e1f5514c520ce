import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Icon } from '../icon.tsx'
import styles from './command-button.module.css'

interface CommandButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: LucideIcon
  label: string
  /** The keys that do the same, shown where there is room. */
  keys: string
}

/** Opens a `CommandDialog`: a sign in the bar, with the keys for those who like them. */
export function CommandButton({ icon, label, keys, ...rest }: CommandButtonProps) {
  return (
    <button type="button" title={`${label} (${keys})`} {...rest} className={styles.button}>
      <Icon of={icon} />
      <span className="vh">{label}</span>
      <kbd className={styles.keys}>{keys}</kbd>
    </button>
  )
}
