import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useId, useState } from 'react'
import { Button } from '../button.tsx'
import styles from './copy-field.module.css'
import { Field } from './field.tsx'
import { TextInput } from './text-input.tsx'

const CONFIRM_FOR = 2500

interface CopyFieldProps {
  label: string
  hint?: string | undefined
  value: string
  copyLabel: string
  /** Shown on the button and announced for a moment: "Copied". */
  copiedLabel: string
}

/** A value to take along, such as an invite link. Without clipboard rights it is selected, ready for Ctrl+C. */
export function CopyField({ label, hint, value, copyLabel, copiedLabel }: CopyFieldProps) {
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
    <Field id={id} label={label} hint={hint}>
      <div className={styles.row}>
        <TextInput value={value} readOnly onFocus={(event) => event.target.select()} />
        <Button icon={copied ? Check : Copy} onClick={copy}>
          {copied ? copiedLabel : copyLabel}
        </Button>
      </div>
      <span className="vh" aria-live="polite">
        {copied ? copiedLabel : ''}
      </span>
    </Field>
  )
}
