import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accessReviews } from '#contract/access-reviews/access-reviews.ts'
import type { ReviewDecision, ReviewRow } from '#contract/access-reviews/review-answers.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import styles from './access-review.module.css'
import { canTakeBack, changesTo, countOf } from './decided.ts'
import { PeopleTable } from './people-table.tsx'
import type { ReviewSearch } from './review-search.ts'
import type { Decisions } from './use-decisions.ts'
import { filtersOf } from './use-review.ts'

interface BulkDialogProps {
  organizationId: string
  search: ReviewSearch
  decision: ReviewDecision
  decisions: Decisions
  onClose: () => void
}

const texts = {
  keep: { title: 'reviewKeepFilterTitle', confirm: 'reviewKeepCount', said: 'reviewSaidBulkKept' },
  takeBack: { title: 'reviewTakeBackFilterTitle', confirm: 'reviewTakeBackCount', said: 'reviewSaidBulkTakeBack' },
} as const

/** Decides about everything that the filters leave: exactly the rows whose names it shows. */
export function BulkDialog({ organizationId, search, decision, decisions, onClose }: BulkDialogProps) {
  const { t } = useTranslation()
  const list = useQuery({
    ...freshQuery(accessReviews.list, {
      params: { id: organizationId },
      query: { ...filtersOf(search), all: 'true' },
    }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const whole = list.data?.whole ?? false
  const isMeant = (row: ReviewRow) =>
    row.present && row.decision !== decision && (decision === 'keep' || canTakeBack(row, whole))
  const people = (list.data?.items ?? [])
    .map((person) => ({ ...person, rows: person.rows.filter(isMeant) }))
    .filter(({ rows }) => rows.length > 0)
  const changes = changesTo(
    people.flatMap(({ rows }) => rows),
    decision,
  )
  const count = countOf(changes)
  const { title, confirm, said } = texts[decision]
  // The rows are gone afterwards, and with the last of them the button that the focus would go back to.
  const heading = useRef<HTMLElement>(null)
  const [isDecided, setDecided] = useState(false)
  const decide = async () => {
    if (count === 0 || !(await decisions.decide({ changes, text: t(said, { count }) }, { reload: true }))) return
    setDecided(true)
    heading.current = document.querySelector<HTMLElement>('#main h1')
    onClose()
  }
  return (
    <Dialog
      open
      size="wide"
      title={t(title)}
      subtitle={list.data && t('reviewMatching', { people: people.length, accesses: count })}
      closeLabel={t('close')}
      finalFocus={isDecided ? heading : undefined}
      onClose={() => !decisions.isPending && onClose()}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            variant="primary"
            loading={decisions.isPending}
            aria-disabled={count === 0 || undefined}
            onClick={() => void decide()}
          >
            {t(confirm, { count })}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <p>{t('reviewBulkHint')}</p>
        <Loaded
          query={list}
          skeleton={
            <SkeletonGroup label={t('loading')}>
              <Skeleton shape="row" count={8} />
            </SkeletonGroup>
          }
        >
          {() => (people.length > 0 ? <PeopleTable caption={t(title)} people={people} /> : t('reviewNoneMatch'))}
        </Loaded>
      </div>
    </Dialog>
  )
}
