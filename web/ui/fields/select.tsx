import ChevronDown from 'lucide-react/icons/chevron-down'
import type { ComponentProps } from 'react'
import { classes } from '../classes.ts'
import { Icon } from '../icon.tsx'
import { useFieldWiring } from './field-wiring.ts'
import styles from './input.module.css'

/** The browser's own select: the best keyboard, the best wheel on phones, no script. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  const wiring = useFieldWiring(rest)
  return (
    <span className={styles.wrap}>
      <select {...rest} {...wiring} className={classes(styles.input, styles.select, className)}>
        {children}
      </select>
      <span className={styles.chevron}>
        <Icon of={ChevronDown} />
      </span>
    </span>
  )
}
