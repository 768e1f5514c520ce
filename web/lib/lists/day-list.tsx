import type { ReactNode } from 'react'
import { longDayText, timeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import styles from '#web/ui/day-list.module.css'

interface DayListProps<Row> {
  rows: readonly Row[]
  /** Newer rows are on their way. */
  busy: boolean
  children: (row: Row) => ReactNode
}

/** What happened, by day, each with its time. */
export function DayList<Row extends { id: string; at: string }>({ rows, busy, children }: DayListProps<Row>) {
  const language = useLanguage()
  return [...Map.groupBy(rows, ({ at }) => longDayText(at, language))].map(([day, ofDay]) => (
    <section key={day} aria-busy={busy || undefined}>
      <h2>{day}</h2>
      <ol>
        {ofDay.map((row) => (
          <li key={row.id}>
            <time dateTime={row.at}>{timeText(row.at, language)}</time>
            <div className={styles.what}>{children(row)}</div>
          </li>
        ))}
      </ol>
    </section>
  ))
}
