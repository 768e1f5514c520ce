import { useTranslation } from 'react-i18next'
import { erasedPrefix } from '#contract/audit-events/audit-erasures.ts'
import type { AuditEventDetail } from '#contract/audit-events/audit-events.ts'
import { DescriptionList } from '#web/ui/description-list.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import styles from './audit-events.module.css'
import { isOfSignIn } from './event-names.ts'
import { propertyLabel, valueLabel } from './property-labels.ts'

type Change = AuditEventDetail['changes'][number]

/** The old and new value of each changed property, with the property's label from its form. */
export function EventChanges({ of, changes }: { of: string; changes: readonly Change[] }) {
  const { t } = useTranslation()
  if (changes.length === 0) return <p className={styles.none}>{t('eventNoChanges')}</p>
  const label = (property: string) => {
    const key = propertyLabel(property, of)
    return key ? t(key) : property
  }
  const text = (property: string, value: string) => {
    if (value.startsWith(erasedPrefix)) return t('erasedValue')
    const key = valueLabel(property, value)
    return key ? t(key) : value
  }
  // A sign-in changes nothing: these are its circumstances.
  if (isOfSignIn(of))
    return (
      <DescriptionList
        items={changes.map(({ property, previousValue, newValue }) => ({
          term: label(property),
          value: text(property, newValue ?? previousValue ?? '–'),
        }))}
      />
    )
  const columns: Column<Change>[] = [
    { key: 'property', header: t('eventProperty'), rowHeader: true, cell: ({ property }) => label(property) },
    {
      key: 'previousValue',
      header: t('eventPreviousValue'),
      cell: ({ property, previousValue }) =>
        previousValue === null ? '–' : <del className={styles.before}>{text(property, previousValue)}</del>,
    },
    {
      key: 'newValue',
      header: t('eventNewValue'),
      cell: ({ property, newValue }) =>
        newValue === null ? '–' : <ins className={styles.after}>{text(property, newValue)}</ins>,
    },
  ]
  return <Table caption={t('eventChanges')} columns={columns} rows={changes} rowKey={({ property }) => property} />
}
