import { useTranslation } from 'react-i18next'
import type { ReviewPerson } from '#contract/access-reviews/review-answers.ts'
import { Day } from '#web/lib/texts/day.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/frame/page.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import styles from './access-review.module.css'

/** The name and address of somebody who is reviewed. */
export function PersonName({ name, email }: Pick<ReviewPerson, 'name' | 'email'>) {
  return (
    <span className={styles.person}>
      <span>{name ?? email}</span>
      {name && <span className={styles.quiet}>{email}</span>}
    </span>
  )
}

/** When somebody last used a service, or that it is not known. */
export function LastUsed({ at }: { at: string | null }) {
  const { t } = useTranslation()
  return at ? <Day at={at} /> : t('lastUsedUnknown')
}

/** Whom something concerns, with the services: shown before it is done. */
export function PeopleTable({ caption, people }: { caption: string; people: readonly ReviewPerson[] }) {
  const { t } = useTranslation()
  const columns: Column<ReviewPerson>[] = [
    { key: 'person', header: t('person'), rowHeader: true, cell: (person) => <PersonName {...person} /> },
    {
      key: 'services',
      header: t('services'),
      cell: ({ rows }) => (
        <ul className={styles.named}>
          {rows.map(({ rowId, serviceName, lastUsed, userRole }) => (
            <li key={rowId}>
              {serviceName} {userRole === 'serviceAdmin' && <Badge tone="accent">{t('roleServiceAdmin')}</Badge>}
              <span className={styles.quiet}>
                {t('lastUsed')}: <LastUsed at={lastUsed} />
              </span>
            </li>
          ))}
        </ul>
      ),
    },
  ]
  return (
    <Card flush>
      <Table caption={caption} columns={columns} rows={people} rowKey={({ accountId }) => accountId} />
    </Card>
  )
}
