import { type ComponentProps, useEffect, useRef, useState } from 'react'
import styles from './code-input.module.css'
import { useFieldWiring } from './field-wiring.ts'

const LENGTH = 6
const slots = Array.from({ length: LENGTH }, (_, index) => index)

interface CodeInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> {
  value: string
  onChange: (digits: string) => void
  /** Called once each time that the sixth digit arrives. */
  onComplete?: ((digits: string) => void) | undefined
}

/**
 * Six digits, 3 + 3. One real input lies transparent over six drawn slots, so that paste, one-time-code autofill,
 * screen readers and every editing key work as in any input.
 */
export function CodeInput({ value, onChange, onComplete, ref, ...rest }: CodeInputProps) {
  const wiring = useFieldWiring(rest)
  const input = useRef<HTMLInputElement>(null)
  const [selection, setSelection] = useState<[number, number] | null>(null)

  // The input's own select event misses keyboard moves; the document's does not.
  useEffect(() => {
    const follow = () => {
      const field = input.current
      const focused = field && document.activeElement === field
      setSelection(focused ? [field.selectionStart ?? 0, field.selectionEnd ?? 0] : null)
    }
    document.addEventListener('selectionchange', follow)
    return () => document.removeEventListener('selectionchange', follow)
  }, [])

  const change = (text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, LENGTH)
    if (digits === value) return
    onChange(digits)
    if (digits.length === LENGTH) onComplete?.(digits)
  }

  return (
    <div className={styles.code} data-invalid={wiring['aria-invalid']} data-locked={rest.readOnly || rest.disabled}>
      <input
        inputMode="numeric"
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        {...rest}
        {...wiring}
        ref={(element) => {
          input.current = element
          if (typeof ref === 'function') ref(element)
          else if (ref) ref.current = element
        }}
        type="text"
        className={styles.input}
        value={value}
        onChange={(event) => change(event.target.value)}
        onBeforeInput={(event) => {
          // Refused here, a letter does not move the caret either.
          const typed: unknown = event.nativeEvent.data
          if (typeof typed === 'string' && typed !== '' && !/\d/.test(typed)) event.preventDefault()
        }}
        onFocus={(event) => {
          rest.onFocus?.(event)
          setSelection([event.target.selectionStart ?? 0, event.target.selectionEnd ?? 0])
        }}
        onBlur={(event) => {
          rest.onBlur?.(event)
          setSelection(null)
        }}
      />
      <div className={styles.slots} aria-hidden="true">
        {slots.map((index) => (
          <span key={index} className={styles.slot} data-state={slotState(index, selection)}>
            {value[index]}
          </span>
        ))}
      </div>
    </div>
  )
}

function slotState(index: number, selection: [number, number] | null) {
  if (!selection) return undefined
  const [start, end] = selection
  if (start === end) return index === Math.min(start, LENGTH - 1) ? 'caret' : undefined
  return index >= start && index < end ? 'selected' : undefined
}
