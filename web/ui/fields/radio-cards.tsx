import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import { type ComponentProps, useId } from 'react'
import { Icon } from '../icon.tsx'
import field from './field.module.css'
import styles from './radio-cards.module.css'

interface RadioCardsProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type' | 'size'> {
  legend: string
  options: readonly { value: string; label: string; hint?: string | undefined }[]
  value: string | null
  onChange: (value: string) => void
  error?: string | undefined
}

/** A few choices that deserve an explanation each. `id`, `name`, `ref` and the like go to the first radio. */
export function RadioCards({ legend, options, value, onChange, error, id, name, ref, ...rest }: RadioCardsProps) {
  const ownId = useId()
  const errorId = error ? `${ownId}-error` : undefined
  return (
    <fieldset className={styles.group} aria-describedby={errorId}>
      <legend className={field.label}>{legend}</legend>
      <div className={styles.cards}>
        {options.map((option, index) => (
          <label key={option.value} className={styles.card}>
            <input
              {...rest}
              {...(index === 0 && { id, ref })}
              type="radio"
              name={name ?? ownId}
              value={option.value}
              checked={option.value === value}
              aria-invalid={error ? true : undefined}
              aria-describedby={
                [option.hint && `${ownId}-${option.value}`, errorId].filter(Boolean).join(' ') || undefined
              }
              className={styles.radio}
              onChange={() => onChange(option.value)}
            />
            <span className={styles.text}>
              <span className={styles.label}>{option.label}</span>
              {option.hint && (
                <span id={`${ownId}-${option.value}`} className={styles.hint}>
                  {option.hint}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={errorId} className={field.error}>
          <Icon of={CircleAlert} />
          {error}
        </p>
      )}
    </fieldset>
  )
}
