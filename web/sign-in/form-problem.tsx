import type { Language } from '#contract/languages.ts'
import { Alert } from '#web/ui/alert.tsx'
import { CallFailed } from './calls.ts'
import styles from './form-problem.module.css'
import { Where } from './page-data.tsx'
import { usePublicPage } from './public-page.tsx'

/** What went wrong with a form as a whole. */
export interface FormProblemState {
  /** The key of what to say. */
  message: string
  /** Seconds until another try is worth it. */
  wait?: number | undefined
}

/** What to say about a failed call. A bug is thrown on. */
export function problemOf(error: unknown): FormProblemState {
  if (!(error instanceof CallFailed)) throw error
  return { message: error.message, wait: error.wait }
}

/** For the `aria-describedby` of the field that the problem is about. */
export const problemId = 'form-problem'

/**
 * The place above the buttons. It is there from the start, so that a screen reader hears what comes into it; what the
 * server has to say after a form post already stands in the prerendered page.
 */
export function FormProblem({ problem }: { problem: FormProblemState | undefined }) {
  const { data } = usePublicPage()
  const alert = problem && <ProblemAlert {...problem} />
  return (
    <div role="alert" id={problemId} className={styles.place}>
      {problem?.message === data.error ? (
        <Where data={data} name="error">
          {alert}
        </Where>
      ) : (
        alert
      )}
    </div>
  )
}

function ProblemAlert(problem: FormProblemState) {
  return <Alert tone="danger">{useProblemText()(problem)}</Alert>
}

/** Says a problem in the page's language. */
export function useProblemText(): (problem: FormProblemState) => string {
  const { t, messageText, language } = usePublicPage()
  return ({ message, wait }) =>
    message === 'tooManyRequests' && wait
      ? t('tooManyRequestsUntil', { when: inTime(wait, language) })
      : messageText(message)
}

/** "in 40 seconds", "in 5 minutes". */
export function inTime(seconds: number, language: Language) {
  const format = new Intl.RelativeTimeFormat(language)
  return seconds < 120 ? format.format(Math.ceil(seconds), 'second') : format.format(Math.ceil(seconds / 60), 'minute')
}
