import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import { type BulkOutcome, type BulkRow, bulkOutcome } from '#contract/users/bulk-users.ts'
import { messageText } from '#web/lib/texts/i18n.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/frame/page.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import styles from './bulk.module.css'
import { nameOf, type Selected } from './use-selection.ts'

interface BulkRowsProps {
  people: readonly Selected[]
  rows: readonly BulkRow[]
  isDone: boolean
  /** Takes something away: what is planned is no good news, and is not green. */
  takesAway: boolean
}

const tones = { done: 'ok', skipped: 'neutral', failed: 'danger' } as const
const planned: Record<BulkOutcome, MessageKey> = {
  done: 'bulkIncluded',
  skipped: 'bulkSkipped',
  failed: 'bulkImpossible',
}
const carriedOut: Record<BulkOutcome, MessageKey> = { done: 'bulkDone', skipped: 'bulkSkipped', failed: 'bulkFailed' }

/** The totals, and an answer for each person. */
export function BulkRows({ people, rows, isDone, takesAway }: BulkRowsProps) {
  const { t } = useTranslation()
  const toneOf = (outcome: BulkOutcome) => (takesAway && !isDone && outcome === 'done' ? 'neutral' : tones[outcome])
  const names = isDone ? carriedOut : planned
  const byId = new Map(people.map((person) => [person.accountId, person]))
  const counts = bulkOutcome.options
    .map((outcome) => ({ outcome, count: rows.filter((row) => row.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
  const columns: Column<BulkRow>[] = [
    {
      key: 'name',
      header: t('name'),
      rowHeader: true,
      cell: ({ accountId }) => <Name person={byId.get(accountId)} />,
    },
    {
      key: 'outcome',
      header: t('importOutcome'),
      unlabelled: true,
      cell: ({ outcome, reason }) => (
        <span className={styles.outcome}>
          <Badge tone={toneOf(outcome)}>{t(names[outcome])}</Badge>
          {reason && <span className={styles.reason}>{messageText(reason)}</span>}
        </span>
      ),
    },
  ]
  return (
    <>
      <div role="status">
        <ul className={styles.counts}>
          {counts.map(({ outcome, count }) => (
            <li key={outcome}>
              <Badge tone={toneOf(outcome)}>{t('nameAndCount', { name: t(names[outcome]), count })}</Badge>
            </li>
          ))}
        </ul>
      </div>
      <Card flush>
        <Table
          caption={t(isDone ? 'importResult' : 'importPreview')}
          columns={columns}
          rows={rows}
          rowKey={({ accountId }) => accountId}
        />
      </Card>
    </>
  )
}

function Name({ person }: { person: Selected | undefined }) {
  if (!person) return null
  const name = nameOf(person)
  return (
    <span className={styles.name}>
      {name}
      {name !== person.email && <span className={styles.email}>{person.email}</span>}
    </span>
  )
}
