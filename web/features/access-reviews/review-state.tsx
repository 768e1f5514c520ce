import Printer from 'lucide-react/icons/printer'
import Undo2 from 'lucide-react/icons/undo-2'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accessReviews } from '#contract/access-reviews/access-reviews.ts'
import { DownloadLink } from '#web/lib/requests/download-link.tsx'
import { useSave } from '#web/lib/requests/use-save.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import styles from './access-review.module.css'
import { FinishDialog } from './finish-dialog.tsx'
import type { Decisions } from './use-decisions.ts'
import type { ReviewAnswer } from './use-review.ts'

interface StateProps {
  organizationId: string
  answer: ReviewAnswer
  decisions: Decisions
  print: () => void
  finishRef: RefObject<HTMLButtonElement | null>
}

/** How far the review is, and what can be done with it as a whole. */
export function ReviewState({ organizationId, answer, decisions, print, finishRef }: StateProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { review, nextAt, whole, decides } = answer
  const start = useSave(accessReviews.start)
  const [finishing, setFinishing] = useState(false)
  const isOpen = review !== null && !review.finishedAt
  // Its end has begun, and goes on with the next call.
  const isEnding = isOpen && review.endingAt !== null
  const canFinish = isEnding || review?.done === review?.total
  return (
    <section className={styles.state} aria-label={t('reviewState')}>
      <div className={styles.progress}>
        {review && isOpen && <Progress review={review} whole={whole} decides={decides} />}
        {review?.finishedAt && <Finished review={review} />}
        {nextAt && <p className={styles.quiet}>{t('reviewNextAt', { moment: dateTimeText(nextAt, language) })}</p>}
        <p className="vh" role="status">
          {decisions.said}
        </p>
      </div>
      <div className={styles.actions}>
        {decides && isOpen && !isEnding && (
          <Button
            icon={Undo2}
            className={styles.undo}
            aria-disabled={!decisions.last || undefined}
            onClick={() => void decisions.undo()}
          >
            {decisions.last ? t('reviewUndo', { what: decisions.last.text }) : t('reviewUndoNothing')}
          </Button>
        )}
        {review && (whole || !decides) && (
          <>
            <Button icon={Printer} onClick={print}>
              {t('print')}
            </Button>
            <DownloadLink href={accessReviews.report.url.replace('{id}', organizationId)}>
              {t('reviewReport')}
            </DownloadLink>
          </>
        )}
        {whole && isOpen && (
          <Button
            ref={finishRef}
            variant="primary"
            aria-disabled={!canFinish || undefined}
            aria-describedby={canFinish ? undefined : 'review-progress'}
            onClick={() => canFinish && setFinishing(true)}
          >
            {t(isEnding ? 'reviewFinishGoOn' : 'reviewFinishNow')}
          </Button>
        )}
        {whole && !isOpen && (
          <Button
            variant="primary"
            loading={start.isPending}
            onClick={() => start.mutate({ params: { id: organizationId } })}
          >
            {t('reviewStart')}
          </Button>
        )}
      </div>
      {finishing && review && (
        <FinishDialog organizationId={organizationId} review={review} onClose={() => setFinishing(false)} />
      )}
    </section>
  )
}

type Review = NonNullable<ReviewAnswer['review']>

function Progress({ review, whole, decides }: { review: Review; whole: boolean; decides: boolean }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { done, total, kept, takenBack, dueAt, openedAt, endingAt } = review
  const isOverdue = new Date(dueAt) < new Date()
  const moment = dateTimeText(dueAt, language)
  const isDone = done === total
  return (
    <>
      <p id="review-progress" className={styles.counts}>
        <b>{t('reviewProgress', { done, total })}</b>
        <span>{t('reviewCounts', { kept, takenBack })}</span>
        {isOverdue && <Badge tone="danger">{t('reviewOverdue')}</Badge>}
      </p>
      <progress aria-label={t('accessReview')} value={done} max={total} />
      <p className={styles.quiet}>
        {t(isOverdue ? 'reviewWasDue' : 'reviewDue', { moment })} ·{' '}
        {t('reviewOpenedAt', { moment: dateTimeText(openedAt, language) })}
      </p>
      {endingAt ? (
        <p>{t('reviewEndingText', { moment: dateTimeText(endingAt, language) })}</p>
      ) : (
        decides && (
          <p className={styles.quiet}>{t(isDone ? (whole ? 'reviewAllDone' : 'reviewPartDone') : 'reviewPause')}</p>
        )
      )}
    </>
  )
}

function Finished({ review: { finishedAt, finishedBy, kept, takenBack } }: { review: Review }) {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <p className={styles.counts}>
      <b>{t('reviewFinishedAt', { moment: dateTimeText(finishedAt ?? '', language), person: finishedBy ?? '' })}</b>
      <span>{t('reviewResult', { kept, takenBack })}</span>
    </p>
  )
}
