import { useTranslation } from 'react-i18next'
import type { DayFigures } from '#contract/home/home.ts'
import { dateLocales } from '#contract/languages.ts'
import { dayText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { DayChart } from '#web/ui/chart/day-chart.tsx'
import { Table } from '#web/ui/table/table.tsx'
import styles from './home.module.css'

interface DayFigureProps {
  title: string
  days: readonly DayFigures[]
  /** The names of the values of a day, where there are several. */
  series?: readonly string[]
  values: (day: DayFigures) => readonly number[]
  /** Shown instead of the numbers when nothing happened. */
  none: string
  /** The busiest day counts, in a line, because the days have people in common; otherwise the total, in bars. */
  peak?: boolean
  wide?: boolean
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** A figure of each day: its number, the chart, and the same as a table. */
export function DayFigure({ title, days, series = [title], values, none, peak = false, wide }: DayFigureProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const number = new Intl.NumberFormat(dateLocales[language])
  const format = (value: number) => number.format(value)
  const points = days.map((day) => ({ key: day.date, label: dayText(day.date, language), values: values(day) }))
  const totals = series.map((_, at) => sum(points.map((point) => point.values[at] ?? 0)))
  const most = points.reduce((best, point) => (sum(point.values) > sum(best.values) ? point : best))
  const span = `${points[0]?.label} – ${points.at(-1)?.label}`
  const facts = { title, span, total: format(sum(totals)), day: most.label, most: format(sum(most.values)) }
  const empty = sum(totals) === 0
  const summary = empty ? `${title}: ${none}` : peak ? t('figurePeakSummary', facts) : t('figureSummary', facts)
  return (
    <article className={styles.figure} data-wide={wide}>
      <h3>{title}</h3>
      <p className={styles.number}>
        {empty ? (
          <span>{none}</span>
        ) : (
          <>
            <b>{peak ? facts.most : facts.total}</b> <span>{peak ? t('figurePeak') : t('figureTotal')}</span>
          </>
        )}
      </p>
      <DayChart
        kind={peak ? 'line' : 'bars'}
        summary={summary}
        points={points}
        series={series}
        totals={totals}
        pick={`${t('day')}, ${title}`}
        span={span}
        format={format}
      />
      <details className={styles.details}>
        <summary aria-label={t('showAsTableNamed', { title })}>{t('showAsTable')}</summary>
        <Table
          caption={title}
          columns={[
            { key: 'day', header: t('day'), cell: ({ label }) => label, rowHeader: true },
            ...series.map((name, at) => ({
              key: name,
              header: name,
              align: 'end' as const,
              cell: (point: (typeof points)[number]) => format(point.values[at] ?? 0),
            })),
          ]}
          rows={points}
          rowKey={({ key }) => key}
        />
      </details>
    </article>
  )
}
