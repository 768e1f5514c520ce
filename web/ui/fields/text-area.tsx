import { type ComponentProps, useState } from 'react'
import { classes } from '../classes.ts'
import { useFieldWiring, useRequired } from './field-wiring.ts'
import styles from './input.module.css'

interface TextAreaProps extends ComponentProps<'textarea'> {
  /** The text under the box for so many characters: "12 of 500". With `maxLength` only. */
  counter?: ((length: number) => string) | undefined
  /** For certificates and keys. */
  mono?: boolean | undefined
}

export function TextArea({ counter, mono, className, ...rest }: TextAreaProps) {
  const wiring = { ...useRequired(rest), ...useFieldWiring(rest) }
  const [typed, setTyped] = useState(() => String(rest.value ?? rest.defaultValue ?? '').length)
  const length = typeof rest.value === 'string' ? rest.value.length : typed
  const counterId = counter && wiring.id ? `${wiring.id}-counter` : undefined
  return (
    <>
      <textarea
        rows={5}
        {...rest}
        {...wiring}
        aria-describedby={[wiring['aria-describedby'], counterId].filter(Boolean).join(' ') || undefined}
        className={classes(styles.input, styles.area, mono && styles.mono, className)}
        onChange={(event) => {
          setTyped(event.target.value.length)
          rest.onChange?.(event)
        }}
      />
      {counter && (
        <span id={counterId} className={styles.counter}>
          {counter(length)}
        </span>
      )}
    </>
  )
}
