import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { FieldValues } from 'react-hook-form'
import { useTexts } from '#web/lib/texts/texts.ts'
import { Alert } from '#web/ui/alert.tsx'
import { FormError } from '#web/ui/fields/form-error.tsx'
import type { SchemaForm } from './form.ts'

interface FormProblemsProps<Draft extends FieldValues, Values> {
  form: SchemaForm<Draft, Values>
  /** Shows the tab that a field is in. */
  reveal?: ((name: string) => void) | undefined
}

/** The summary at the top of a form. Two or more mistakes: it takes the focus; a single one: its field does. */
export function FormProblems<Draft extends FieldValues, Values>({ form, reveal }: FormProblemsProps<Draft, Values>) {
  const { t } = useTexts()
  const summary = useRef<HTMLDivElement>(null)
  const { errors, refusals } = form
  const answered = useRef(0)
  useEffect(() => {
    // Once for each refusal, as soon as what it found is on the page; not on every keystroke after it.
    if (refusals === answered.current || errors.length === 0) return
    answered.current = refusals
    if (summary.current) summary.current.focus()
    else focusWhenRendered(errors[0]?.id ?? '')
  }, [refusals, errors])
  if (errors.length < 2) return null
  return (
    <FormError
      ref={summary}
      title={t('formErrors', { count: String(errors.length) })}
      errors={errors.map((error) => ({ id: error.id, message: form.errorText(error) }))}
      // At once: a field that is hidden cannot take the focus.
      onFollow={(id) => {
        const name = errors.find((error) => error.id === id)?.name
        if (reveal && name) flushSync(() => reveal(name))
      }}
    />
  )
}

/** A field whose part is still loading gets the focus when it appears, unless the focus has moved until then. */
function focusWhenRendered(id: string): void {
  const field = document.getElementById(id)
  if (field) {
    field.focus()
    return
  }
  const before = document.activeElement
  const observer = new MutationObserver(() => {
    const late = document.getElementById(id)
    const waiting = document.activeElement === before
    if (late && waiting) late.focus()
    if (late || !waiting) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
}

/** The server's message about the form as a whole; stands above the buttons. */
export function FormProblem({ text }: { text: string | undefined }) {
  return text ? (
    <Alert tone="danger" live="alert">
      {text}
    </Alert>
  ) : null
}
