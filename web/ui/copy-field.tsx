import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useId, useState } from 'react'
import { Button } from './button.tsx'
import styles from './copy-field.module.css'
import field from './field.module.css'
import { TextInput } from './text-input.tsx'

const CONFIRM_FOR = 2500

interface CopyFieldProps {
  label: string
  value: string
  copyLabel: string
  /** Stands on the button and is said aloud for a moment: "Copied". */
  copiedLabel: string
}

/** A value to take along, such as an invite link. Without clipboard rights it is selected, ready for Ctrl+C. */
export function CopyField({ label, value, copyLabel, copiedLabel }: CopyFieldProps) {
  const id = useId()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), CONFIRM_FOR)
    return () => clearTimeout(timer)
  }, [copied])

  const select = () => {
    const input = document.getElementById(id)
    if (input instanceof HTMLInputElement) {
      input.focus()
      input.select()
    }
  }
  const copy = () => navigator.clipboard.writeText(value).then(() => setCopied(true), select)

  return (
    <div className={field.field}>
      <label htmlFor={id} className={field.label}>
        {label}
      </label>
      <div className={styles.row}>
        <TextInput id={id} value={value} readOnly onFocus={(event) => event.target.select()} />
        <Button icon={copied ? Check : Copy} onClick={copy}>
          {copied ? copiedLabel : copyLabel}
        </Button>
      </div>
      <span className="vh" aria-live="polite">
        {copied ? copiedLabel : ''}
      </span>
    </div>
  )
}
