import { Combobox as Base } from '@base-ui/react/combobox'
import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import X from 'lucide-react/icons/x'
import { use, useRef } from 'react'
import { classes } from '../classes.ts'
import { Icon } from '../icon.tsx'
import styles from './combobox.module.css'
import { FieldWiring, useFieldWiring } from './field-wiring.ts'
import input from './input.module.css'

export interface ComboboxOption {
  value: string
  label: string
  /** A second, quieter line. */
  hint?: string | undefined
  /** Listed but not to be had, and why: "Already added". */
  unavailable?: string | undefined
}

interface ComboboxProps {
  options: readonly ComboboxOption[]
  value: string | null
  onChange: (value: string | null) => void
  placeholder?: string | undefined
  emptyText: string
  clearLabel: string
  openLabel: string
  /** Given when the server searches; otherwise the options are filtered here. */
  onSearch?: ((text: string) => void) | undefined
  disabled?: boolean | undefined
  id?: string | undefined
}

/** Chooses one of many by typing. Goes into a `Field`. */
export function Combobox(props: ComboboxProps) {
  const { options, value, onChange, placeholder, emptyText, clearLabel, openLabel, onSearch, disabled = false } = props
  const wiring = useFieldWiring(props)
  const labelId = use(FieldWiring)?.labelId
  const group = useRef<HTMLDivElement>(null)
  return (
    <Base.Root
      items={options}
      value={options.find((option) => option.value === value) ?? null}
      onValueChange={(option) => onChange(option?.value ?? null)}
      isItemEqualToValue={(item, chosen) => item.value === chosen.value}
      disabled={disabled}
      {...(onSearch && { filter: null, onInputValueChange: onSearch })}
    >
      <Base.InputGroup ref={group} className={styles.group}>
        {/* While the list is open the library hides all else, the label too, unless it is named like this. */}
        <Base.Input
          {...wiring}
          aria-labelledby={labelId}
          placeholder={placeholder}
          className={classes(input.input, styles.input)}
        />
        <span className={styles.buttons}>
          <Base.Clear className={styles.button} aria-label={clearLabel}>
            <Icon of={X} />
          </Base.Clear>
          <Base.Trigger className={styles.button} aria-label={openLabel}>
            <Icon of={ChevronDown} />
          </Base.Trigger>
        </span>
      </Base.InputGroup>
      {/* Inside the field, so that it belongs to the same dialog or landmark; fixed, so that neither cuts it off. */}
      <Base.Portal container={group}>
        <Base.Positioner positionMethod="fixed" className={styles.positioner} sideOffset={4} collisionPadding={8}>
          <Base.Popup className={styles.popup}>
            <Base.Empty className={styles.empty}>{emptyText}</Base.Empty>
            <Base.List className={styles.list}>
              {(option: ComboboxOption) => (
                <Base.Item
                  key={option.value}
                  value={option}
                  disabled={Boolean(option.unavailable)}
                  className={styles.item}
                >
                  <span className={styles.text}>
                    <span>{option.label}</span>
                    {(option.unavailable ?? option.hint) && (
                      <span className={styles.hint}>{option.unavailable ?? option.hint}</span>
                    )}
                  </span>
                  <Base.ItemIndicator className={styles.tick}>
                    <Icon of={Check} />
                  </Base.ItemIndicator>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
