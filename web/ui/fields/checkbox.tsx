import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { Icon } from '../icon.tsx'
import styles from './checkbox.module.css'
import { useFieldWiring } from './field-wiring.ts'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'size'> {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
}

/** A real checkbox with its text as one large target. Do not put it into a `Field`: it brings its own label. */
export function Checkbox(props: CheckboxProps) {
  return <Choice {...props} kind="checkbox" />
}

/** On or off at once. A checkbox that says so (`role=switch`), so that forms and keyboards know it. */
export function Switch(props: CheckboxProps) {
  return <Choice {...props} kind="switch" />
}

function Choice({ label, hint, error, kind, ...rest }: CheckboxProps & { kind: 'checkbox' | 'switch' }) {
  const hintId = useId()
  const errorId = useId()
  const described = [hint && hintId, error && errorId].filter(Boolean).join(' ')
  const wiring = useFieldWiring({
    ...rest,
    'aria-describedby': described || rest['aria-describedby'],
    'aria-invalid': error ? true : rest['aria-invalid'],
  })
  return (
    <div className={styles.choice} data-kind={kind}>
      <label className={styles.label}>
        <input
          {...rest}
          {...wiring}
          type="checkbox"
          role={kind === 'switch' ? 'switch' : undefined}
          className={styles.box}
        />
        <span className={styles.text}>{label}</span>
      </label>
      {hint && (
        <span id={hintId} className={styles.hint}>
          {hint}
        </span>
      )}
      {error && (
        <p id={errorId} className={styles.error}>
          <Icon of={CircleAlert} />
          {error}
        </p>
      )}
    </div>
  )
}
