import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import { type ReactNode, useId } from 'react'
import { Icon } from '../icon.tsx'
import styles from './field.module.css'
import { FieldWiring } from './field-wiring.ts'

interface FieldProps {
  label: string
  /** One control of web/ui; it takes id, aria-describedby and aria-invalid from here. */
  children: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** "(optional)", in words instead of an asterisk on the others. */
  optionalText?: string | undefined
  /** Give it where an error summary links here; otherwise it makes its own. */
  id?: string | undefined
  /** Keeps the label for screen readers only, where the surroundings say the same to the eye. */
  hideLabel?: boolean | undefined
  /** Says the error when it comes: for a field that has the focus then and keeps it, such as one for a code. */
  says?: boolean | undefined
}

export function Field({ label, children, hint, error, optionalText, id, hideLabel, says }: FieldProps) {
  const ownId = useId()
  const controlId = id ?? ownId
  const labelId = `${controlId}-label`
  const hintId = hint ? `${controlId}-hint` : undefined
  const errorId = error ? `${controlId}-error` : undefined
  const describedBy = [hintId, errorId].filter(Boolean).join(' ') || undefined
  return (
    <div className={styles.field}>
      <label id={labelId} htmlFor={controlId} className={hideLabel ? 'vh' : styles.label}>
        {label}
        {optionalText && <span className={styles.optional}> {optionalText}</span>}
      </label>
      {hint && (
        <div id={hintId} className={styles.hint}>
          {hint}
        </div>
      )}
      <FieldWiring
        value={{
          id: controlId,
          labelId,
          describedBy,
          invalid: Boolean(error),
          required: !optionalText && !hideLabel,
        }}
      >
        {children}
      </FieldWiring>
      {error && (
        <p id={errorId} role={says ? 'alert' : undefined} className={styles.error}>
          <Icon of={CircleAlert} />
          {error}
        </p>
      )}
    </div>
  )
}
