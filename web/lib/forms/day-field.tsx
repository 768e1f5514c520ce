import { useState } from 'react'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'

interface DayFieldProps {
  label: string
  value: string | undefined
  onChoose: (value: string | undefined) => void
}

/** A day as a filter. Takes effect when the day is complete: while a year is typed, the browser reports years such as 0002. */
export function DayField({ label, value = '', onChoose }: DayFieldProps) {
  const [text, setText] = useState(value)
  const commit = (day: string) => {
    if (day !== value && (day === '' || day >= '1900')) onChoose(day || undefined)
  }
  return (
    <Field label={label}>
      <TextInput
        type="date"
        min="1900-01-01"
        max="9999-12-31"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          if (event.target.value >= '1900') commit(event.target.value)
        }}
        onBlur={() => commit(text)}
      />
    </Field>
  )
}
