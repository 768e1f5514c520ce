import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react'
import { classes } from '../classes.ts'
import { IconButton } from '../icon-button.tsx'
import { useFieldWiring, useRequired } from './field-wiring.ts'
import styles from './input.module.css'

interface PasswordInputProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** Name of the toggle, "Show password"; whether it is on is told by its pressed state. */
  showLabel: string
}

/** A password with a button that shows it. Pasting and password managers are welcome. */
export function PasswordInput({ showLabel, ref, className, ...rest }: PasswordInputProps) {
  const wiring = { ...useRequired(rest), ...useFieldWiring(rest) }
  const [shown, setShown] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const caret = useRef<[number, number] | null>(null)

  const toggle = () => {
    const field = input.current
    if (field) caret.current = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length]
    setShown(!shown)
  }
  // Changing the type moves the caret to the start: in some browsers at once, in Chromium 150 with the next frame.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs because the type changed
  useLayoutEffect(() => {
    const restore = () => {
      if (caret.current) input.current?.setSelectionRange(...caret.current)
    }
    restore()
    const frame = requestAnimationFrame(() => setTimeout(restore))
    return () => cancelAnimationFrame(frame)
  }, [shown])

  return (
    <div className={styles.wrap}>
      <input
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        {...rest}
        {...wiring}
        ref={(element) => {
          input.current = element
          if (typeof ref === 'function') ref(element)
          else if (ref) ref.current = element
        }}
        type={shown ? 'text' : 'password'}
        className={classes(styles.input, styles.withEnd, className)}
      />
      <span className={styles.end}>
        <IconButton
          icon={shown ? EyeOff : Eye}
          label={showLabel}
          aria-pressed={shown}
          aria-controls={wiring.id}
          // The mouse leaves the focus, and so the caret, in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={toggle}
        />
      </span>
    </div>
  )
}
