import Languages from 'lucide-react/icons/languages'
import { type ComponentProps, useId } from 'react'
import { Icon } from './icon.tsx'
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
  return (
    <div className={styles.box}>
      <label className="vh" htmlFor={id}>
        {label}
      </label>
      <span className={styles.icon}>
        <Icon of={Languages} />
      </span>
      <select {...rest} id={id} className={styles.select} onChange={(event) => onChange(event.target.value)}>
        {languages.map(({ value, name }) => (
          <option key={value} value={value} lang={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
