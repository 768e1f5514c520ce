import Languages from 'lucide-react/icons/languages'
import { type ComponentProps, useEffect, useId, useRef } from 'react'
import { Icon } from '../icon.tsx'
import styles from './language-select.module.css'

interface LanguageSelectProps extends Omit<ComponentProps<'select'>, 'onChange' | 'children'> {
  /** "Language", read by screen readers only. */
  label: string
  /** Each by its own name in its own language. */
  languages: readonly { value: string; name: string }[]
  onChange: (language: string) => void
}

export function LanguageSelect({ label, languages, onChange, ...rest }: LanguageSelectProps) {
  const id = useId()
  const select = useRef<HTMLSelectElement>(null)
  // A page that was prerendered may have been told before this script could hear it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was chosen before
  useEffect(() => {
    const chosen = select.current?.value
    if (chosen && rest.value !== undefined && chosen !== rest.value) onChange(chosen)
  }, [])
  return (
    <div className={styles.box}>
      <label className="vh" htmlFor={id}>
        {label}
      </label>
      <span className={styles.icon}>
        <Icon of={Languages} />
      </span>
      <select
        {...rest}
        ref={select}
        id={id}
        className={styles.select}
        // What a browser puts back after a reload is nobody's choice.
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      >
        {languages.map(({ value, name }) => (
          <option key={value} value={value} lang={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
