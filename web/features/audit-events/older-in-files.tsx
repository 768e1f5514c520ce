import { useTranslation } from 'react-i18next'
import { monthsText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import styles from './audit-events.module.css'

/** Where events are that the list no longer has. */
export function OlderInFiles({ months: { first, last } }: { months: { first: string; last: string } }) {
  const { t } = useTranslation()
  const language = useLanguage()
  return <p className={styles.older}>{t('olderEventsInFiles', { months: monthsText(first, last, language) })}</p>
}
