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
  /** The same number of the 30 days before; undefined where there is none. */
  before: number | undefined
  /** For what went wrong. */
  tone?: 'danger' | undefined
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
export function DayFigure(props: DayFigureProps) {
  const { title, days, before, tone, series = [title], values, none, peak = false, wide } = props
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
      {before !== undefined && <Change now={peak ? sum(most.values) : sum(totals)} before={before} />}
      <DayChart
        tone={tone}
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

/** What became of the number since the 30 days before. From nothing there is no share to tell. */
function Change({ now, before }: { now: number; before: number }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const format = (options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(dateLocales[language], options)
  const change = format({ style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 })
  const number = format().format(before)
  return (
    <p className={styles.change}>
      {before > 0
        ? t('figureChange', { change: change.format((now - before) / before), before: number })
        : t('figureBefore', { before: number })}
    </p>
  )
}
