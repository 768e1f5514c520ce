import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { type Failure, failureText, useTexts } from '#web/lib/texts/texts.ts'
import { Alert } from '#web/ui/alert.tsx'
import styles from './form-problem.module.css'
import { ShowIf } from './page-data.tsx'
import { usePublicPage } from './public-page.tsx'

/** What to say about a failed call. A bug is rethrown. */
export function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  throw error
}

/** For the `aria-describedby` of the field that the problem is about. */
export const problemId = 'form-problem'

/**
 * The place above the buttons. It is there from the start, so that a screen reader announces what appears in it; an
 * answer to a form post is already part of the prerendered page.
 */
export function FormProblem({ problem }: { problem: Failure | undefined }) {
  const { data, t } = usePublicPage()
  const texts = useTexts()
  const alert = problem && <Alert tone="danger">{failureText(problem, texts)}</Alert>
  const isOfThePage = problem?.message === data.error
  return (
    <>
      <div role="alert" id={problemId} className={styles.place}>
        {isOfThePage ? (
          <ShowIf data={data} name="error">
            {alert}
          </ShowIf>
        ) : (
          alert
        )}
      </div>
      {isOfThePage && (
        <ShowIf data={data} name="reference">
          <p className={styles.reference}>{t('referenceId', { id: data.reference })}</p>
        </ShowIf>
      )}
    </>
  )
}
