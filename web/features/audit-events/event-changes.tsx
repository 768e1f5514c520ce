import { useTranslation } from 'react-i18next'
import { erasedPrefix } from '#contract/audit-events/audit-erasures.ts'
import type { AuditEventDetail } from '#contract/audit-events/audit-events.ts'
import { dateTimeText, dayText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { DescriptionList } from '#web/ui/description-list.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import styles from './audit-events.module.css'
import { isOfSignIn } from './event-names.ts'
import { propertyLabel, valueLabel } from './property-labels.ts'

const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
const isMoment = (value: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))

type Change = AuditEventDetail['changes'][number]

/** The old and new value of each changed property, with the property's label from its form. */
export function EventChanges({ of, changes }: { of: string; changes: readonly Change[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const changed = changes.filter(({ previousValue, newValue }) => previousValue !== newValue)
  if (changed.length === 0) return <p className={styles.none}>{t('eventNoChanges')}</p>
  const label = (property: string) => {
    const key = propertyLabel(property, of)
    return key ? t(key) : property
  }
  const text = (property: string, value: string) => {
    if (value.startsWith(erasedPrefix)) return t('erasedValue')
    const key = valueLabel(property, value)
    if (key) return t(key)
    if (isDay(value)) return dayText(value, language, 'full')
    return isMoment(value) ? dateTimeText(value, language) : value
  }
  // A sign-in changes nothing: these are its circumstances.
  if (isOfSignIn(of))
    return (
      <DescriptionList
        items={changed.map(({ property, previousValue, newValue }) => ({
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
  return <Table caption={t('eventChanges')} columns={columns} rows={changed} rowKey={({ property }) => property} />
}
