import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type AuditEvent, auditEvents } from '#contract/audit-events/audit-events.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { longDayText, timeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import styles from './audit-events.module.css'
import { HistorySkeleton } from './history-skeleton.tsx'
import { useOrigin, useSentence } from './use-sentence.ts'

/** The newest events of one thing, by day. */
export function EventHistory({ targetId }: { targetId: string }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const events = useQuery(query(auditEvents.list, { query: { targetIdFilter: targetId } }))
  return (
    <Loaded query={events} skeleton={<HistorySkeleton />}>
      {({ items }) => {
        const days = Map.groupBy(items, ({ createdAt }) => longDayText(createdAt, language))
        return (
          <div className={styles.history}>
            {items.length === 0 && <p className={styles.none}>{t('historyEmpty')}</p>}
            {[...days].map(([day, ofDay]) => (
              <section key={day}>
                <h3>{day}</h3>
                <ol>
                  {ofDay.map((event) => (
                    <HistoryItem key={event.id} event={event} />
                  ))}
                </ol>
              </section>
            ))}
            <p>
              <Link to="/audit-events" search={{ targetIdFilter: targetId, period: 'all' }} className={styles.more}>
                {t('historyInLog')}
              </Link>
            </p>
          </div>
        )
      }}
    </Loaded>
  )
}

function HistoryItem({ event }: { event: AuditEvent }) {
  const language = useLanguage()
  const sentence = useSentence()(event)
  const origin = useOrigin()(event)
  return (
    <li>
      <time dateTime={event.createdAt}>{timeText(event.createdAt, language)}</time>
      <span className={styles.named}>
        {sentence}
        {origin && <span className={styles.label}>{origin}</span>}
      </span>
    </li>
  )
}
