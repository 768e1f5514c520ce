import { useTranslation } from 'react-i18next'
import { accessReviews, type ReviewDecision, type ReviewRow } from '#contract/access-reviews/access-reviews.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { shortDayText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import styles from './access-review.module.css'

interface ReviewTableProps {
  rows: readonly ReviewRow[]
  organizationId: string
  /** Decisions can be made. */
  open: boolean
  busy: boolean
}

export function ReviewTable({ rows, organizationId, open, busy }: ReviewTableProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const decide = useSave(accessReviews.decide)
  const undecided = rows.filter((row) => row.decision === null && row.present)
  const send = (which: readonly ReviewRow[], decision: ReviewDecision) =>
    decide.mutate(
      { params: { id: organizationId }, input: { rowIds: which.map(({ rowId }) => rowId), decision } },
      {
        onSuccess: () => {
          toasts.show({ tone: 'success', title: t(decision === 'keep' ? 'reviewKept' : 'reviewTakenBack') })
          // The row moves behind those that are still undecided.
          document.querySelector<HTMLElement>('#main h1')?.focus()
        },
      },
    )
  const columns: Column<ReviewRow>[] = [
    {
      key: 'person',
      header: t('person'),
      rowHeader: true,
      cell: ({ name, email }) => (
        <span className={styles.person}>
          <span>{name ?? email}</span>
          {name && <span className={styles.quiet}>{email}</span>}
        </span>
      ),
    },
    {
      key: 'service',
      header: t('service'),
      cell: ({ serviceName, userRole }) => (
        <span className={styles.person}>
          <span>{serviceName}</span>
          {userRole === 'serviceAdmin' && <span className={styles.quiet}>{t('roleServiceAdmin')}</span>}
        </span>
      ),
    },
    {
      key: 'lastUsed',
      header: t('lastUsed'),
      cell: ({ lastUsed }) => (lastUsed ? shortDayText(lastUsed, language) : t('lastUsedUnknown')),
    },
    {
      key: 'decision',
      header: t('reviewDecision'),
      cell: (row) => <Decision row={row} open={open} busy={decide.isPending} send={send} />,
    },
  ]
  return (
    <>
      <Table caption={t('accessReview')} columns={columns} rows={rows} rowKey={({ rowId }) => rowId} busy={busy} />
      {open && undecided.length > 1 && (
        <div className={styles.all}>
          <Button loading={decide.isPending} onClick={() => send(undecided, 'keep')}>
            {t('reviewKeepAll', { count: undecided.length })}
          </Button>
        </div>
      )}
    </>
  )
}

interface DecisionProps {
  row: ReviewRow
  open: boolean
  busy: boolean
  send: (rows: readonly ReviewRow[], decision: ReviewDecision) => void
}

function Decision({ row, open, busy, send }: DecisionProps) {
  const { t } = useTranslation()
  const names = { person: row.name ?? row.email, service: row.serviceName }
  if (row.decision)
    return (
      <span className={styles.person}>
        <Badge tone={row.decision === 'keep' ? 'ok' : 'neutral'}>
          {t(row.decision === 'keep' ? 'reviewKept' : 'reviewTakenBack')}
        </Badge>
        <span className={styles.quiet}>{row.decidedBy}</span>
      </span>
    )
  if (!row.present) return <Badge tone="neutral">{t('reviewGone')}</Badge>
  if (!open) return t('reviewOpenRow')
  return (
    <span className={styles.actions}>
      <Button
        size="small"
        disabled={busy}
        aria-label={t('reviewTakeBackFrom', names)}
        onClick={() => send([row], 'takeBack')}
      >
        {t('reviewTakeBack')}
      </Button>
      <Button
        size="small"
        variant="primary"
        disabled={busy}
        aria-label={t('reviewKeepFor', names)}
        onClick={() => send([row], 'keep')}
      >
        {t('reviewKeep')}
      </Button>
    </span>
  )
}
