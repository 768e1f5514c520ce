import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accessReviews } from '#contract/access-reviews/access-reviews.ts'
import type { AccessReview } from '#contract/access-reviews/review-answers.ts'
import { call } from '#web/lib/requests/api.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import styles from './access-review.module.css'
import { PeopleTable } from './people-table.tsx'

interface FinishDialogProps {
  organizationId: string
  review: AccessReview
  onClose: () => void
}

/** Ends the review, portion by portion. */
async function finishAll(organizationId: string, takeBack: number, onProgress: (left: number) => void) {
  const portion = () => call(accessReviews.finish, { params: { id: organizationId }, input: { takeBack } })
  let { left } = await portion()
  while (left > 0) {
    onProgress(left)
    left = await portion().then((answer) => answer.left, leftByOthers)
  }
}

/** An admin who finishes at the same time may have taken the last portion. */
function leftByOthers(error: unknown): number {
  if (error instanceof ApiProblem && error.message === 'reviewNotOpen') return 0
  throw error
}

/** Names who loses what before the review ends: afterwards nothing can be changed. */
export function FinishDialog({ organizationId, review, onClose }: FinishDialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [left, setLeft] = useState<number>()
  const finish = useMutation({
    mutationFn: (takeBack: number) => finishAll(organizationId, takeBack, setLeft),
    onSettled: () => {
      setLeft(undefined)
      void client.invalidateQueries()
    },
    meta: { inline: true },
  })
  const list = useQuery({
    ...freshQuery(accessReviews.list, {
      params: { id: organizationId },
      query: { decision: 'takeBack', all: 'true' },
    }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const people = (list.data?.items ?? [])
    .map((person) => ({ ...person, rows: person.rows.filter(({ present }) => present) }))
    .filter(({ rows }) => rows.length > 0)
  const takeBack = people.reduce((sum, { rows }) => sum + rows.length, 0)
  const confirm = () =>
    finish.mutate(takeBack, {
      onSuccess: () => {
        toasts.show({ tone: 'success', title: t('reviewFinished') })
        onClose()
        document.querySelector<HTMLElement>('#main h1')?.focus()
      },
    })
  // While services are taken back the dialog shows how far that is.
  const close = () => !finish.isPending && onClose()
  return (
    <Dialog
      open
      size="wide"
      title={t('reviewFinish')}
      subtitle={t('reviewCounts', review)}
      closeLabel={t('close')}
      onClose={close}
      footer={
        <>
          <Button aria-disabled={finish.isPending || undefined} onClick={close}>
            {t('cancel')}
          </Button>
          <Button
            variant={takeBack > 0 ? 'danger' : 'primary'}
            loading={finish.isPending}
            aria-disabled={!list.isSuccess || undefined}
            onClick={() => list.isSuccess && confirm()}
          >
            {takeBack > 0 ? t('reviewFinishTakeBack', { count: takeBack }) : t('reviewFinish')}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        {finish.error && (
          <Alert tone="danger" live="alert">
            {problemText(finish.error)}
          </Alert>
        )}
        {left !== undefined && (
          <div className={styles.progress} role="status">
            <p>{t('reviewEndingProgress', { done: takeBack - left, total: takeBack })}</p>
            <progress aria-label={t('reviewFinish')} value={takeBack - left} max={takeBack} />
          </div>
        )}
        <p>{t(list.isSuccess && takeBack === 0 ? 'reviewFinishNothing' : 'reviewFinishHint')}</p>
        <Loaded
          query={list}
          skeleton={
            <SkeletonGroup label={t('loading')}>
              <Skeleton shape="row" count={5} />
            </SkeletonGroup>
          }
        >
          {() => people.length > 0 && <PeopleTable caption={t('reviewToTakeBack')} people={people} />}
        </Loaded>
      </div>
    </Dialog>
  )
}
