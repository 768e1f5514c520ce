import type { ReactNode } from 'react'
import field from './field.module.css'
import styles from './field-group.module.css'

interface FieldGroupProps {
  legend: string
  hint?: ReactNode
  children: ReactNode
}

/** Fields that belong together, under a name of their own. */
export function FieldGroup({ legend, hint, children }: FieldGroupProps) {
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{legend}</legend>
      {hint && <p className={field.hint}>{hint}</p>}
      {children}
    </fieldset>
  )
}
