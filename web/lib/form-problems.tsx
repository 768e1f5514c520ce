import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Alert } from '#web/ui/alert.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import type { SchemaForm } from './form.ts'

interface FormProblemsProps<Draft extends FieldValues, Values> {
  form: SchemaForm<Draft, Values>
  /** Brings a field to the front that lies in a tab behind. */
  reveal?: ((name: string) => void) | undefined
}

/** The summary at the top of a form. Two or more mistakes: it takes the focus; a single one: its field does. */
export function FormProblems<Draft extends FieldValues, Values>({ form, reveal }: FormProblemsProps<Draft, Values>) {
  const { t } = useTranslation()
  const summary = useRef<HTMLDivElement>(null)
  const { errors, refusals } = form
  const answered = useRef(0)
  useEffect(() => {
    // Once for each refusal, as soon as what it found is on the page; not on every keystroke after it.
    if (refusals === answered.current || errors.length === 0) return
    answered.current = refusals
    if (summary.current) summary.current.focus()
    else focusWhenThere(errors[0]?.id ?? '')
  }, [refusals, errors])
  if (errors.length < 2) return null
  return (
    <FormError
      ref={summary}
      title={t('formErrors', { count: errors.length })}
      errors={errors}
      // At once: a field that is hidden cannot take the focus.
      onFollow={(id) => {
        const name = errors.find((error) => error.id === id)?.name
        if (reveal && name) flushSync(() => reveal(name))
      }}
    />
  )
}

/** A field whose part is still on its way gets the focus when it comes, if nothing else has taken it until then. */
function focusWhenThere(id: string): void {
  const field = document.getElementById(id)
  if (field) {
    field.focus()
    return
  }
  const before = document.activeElement
  const arrivals = new MutationObserver(() => {
    const late = document.getElementById(id)
    const waiting = document.activeElement === before
    if (late && waiting) late.focus()
    if (late || !waiting) arrivals.disconnect()
  })
  arrivals.observe(document.body, { childList: true, subtree: true })
}

/** What the server says about the whole; stands above the buttons. */
export function FormProblem({ text }: { text: string | undefined }) {
  return text ? (
    <Alert tone="danger" live="alert">
      {text}
    </Alert>
  ) : null
}
