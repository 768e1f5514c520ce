import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { waitText } from '#web/lib/texts/dates.ts'
import { messageText, useLanguage } from '#web/lib/texts/i18n.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'

/** Explains why the server rejected the whole list. The list stays in the form. */
export function ImportFailure({ error }: { error: Error | null }) {
  const { t } = useTranslation()
  const language = useLanguage()
  if (!error) return null
  const issues = error instanceof ApiProblem ? error.issues : []
  const rows = issues.flatMap(({ path, message }) => {
    const row = /^rows\.(\d+)\./.exec(path)?.[1]
    return row ? [t('importRowRefused', { row: Number(row) + 1, problem: messageText(message) })] : []
  })
  const limit =
    error instanceof ApiProblem && error.message === ('tooManyImported' satisfies MessageKey) && error.retryAfter
      ? t('tooManyImportedUntil', { when: waitText(error.retryAfter, language) })
      : undefined
  return (
    <Alert tone="danger" live="alert">
      {rows[0] ?? limit ?? problemText(error)}
    </Alert>
  )
}
