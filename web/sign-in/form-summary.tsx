import { useEffect, useRef } from 'react'
import { FormError } from '#web/ui/form-error.tsx'
import { usePublicPage } from './public-page.tsx'

interface FormSummaryProps {
  /** The fields in the order of the form, by id, with what is wrong in words. */
  errors: readonly { id: string; message: string }[]
  /** Counts the times that the form was refused: each one moves the focus, and what is typed afterwards does not. */
  refusals: number
}

/** What to correct. Two or more mistakes: the summary takes the focus; a single one: its field does. */
export function FormSummary({ errors, refusals }: FormSummaryProps) {
  const { t } = usePublicPage()
  const summary = useRef<HTMLDivElement>(null)
  const answered = useRef(0)
  useEffect(() => {
    if (refusals === answered.current || errors.length === 0) return
    answered.current = refusals
    if (summary.current) summary.current.focus()
    else document.getElementById(errors[0]?.id ?? '')?.focus()
  }, [refusals, errors])
  if (errors.length < 2) return null
  return <FormError ref={summary} title={t('formErrors_other', { count: String(errors.length) })} errors={errors} />
}
