import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import { type ComponentProps, useRef } from 'react'
import { Icon } from '../icon.tsx'
import { IconButton } from '../icon-button.tsx'
import input from './input.module.css'
import styles from './search-input.module.css'

interface SearchInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type' | 'aria-label'> {
  label: string
  clearLabel: string
  value: string
  onChange: (value: string) => void
}

export function SearchInput(props: SearchInputProps) {
  const { label, clearLabel, value, onChange, placeholder = label, onKeyDown, ...rest } = props
  const field = useRef<HTMLInputElement>(null)
  return (
    <search className={styles.search}>
      <div className={input.wrap}>
        <input
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          {...rest}
          ref={field}
          type="search"
          aria-label={label}
          placeholder={placeholder}
          value={value}
          className={`${input.input} ${input.withStart} ${input.withEnd}`}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            // In a form, Enter would submit it.
            if (event.key === 'Enter') event.preventDefault()
            onKeyDown?.(event)
          }}
        />
        <span className={input.start}>
          <Icon of={Search} />
        </span>
        {value && (
          <span className={input.end}>
            <IconButton
              icon={X}
              label={clearLabel}
              onClick={() => {
                onChange('')
                field.current?.focus()
              }}
            />
          </span>
        )}
      </div>
    </search>
  )
}
