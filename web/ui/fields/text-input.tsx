import type { ComponentProps, ReactNode } from 'react'
import { classes } from '../classes.ts'
import { useFieldWiring, useRequired } from './field-wiring.ts'
import styles from './input.module.css'

interface TextInputProps extends ComponentProps<'input'> {
  /** A unit after the box, such as "days". */
  suffix?: ReactNode
}

/** One line of text, also e-mail, url, tel and number. Read-only ones stay focusable, so that they can be copied. */
export function TextInput({ suffix, className, ...rest }: TextInputProps) {
  const wiring = { ...useRequired(rest), ...useFieldWiring(rest) }
  const input = <input type="text" {...rest} {...wiring} className={classes(styles.input, className)} />
  if (!suffix) return input
  return (
    <span className={styles.suffixed}>
      {input}
      <span className={styles.suffix}>{suffix}</span>
    </span>
  )
}
