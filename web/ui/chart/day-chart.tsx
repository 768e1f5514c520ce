import { type PointerEvent, useState } from 'react'
import styles from './chart.module.css'
import { type DayPoint, Plot, type PlotProps } from './plot.tsx'

interface DayChartProps extends Omit<PlotProps, 'picked'> {
  /** The names of the values of a point. */
  series: readonly string[]
  /** Of each series, for the legend while no day is picked; it leaves out what never happened. One series has no legend. */
  totals: readonly number[]
  /** The name of the slider: "Day". */
  pick: string
  /** "24 October – 22 November". */
  span: string
  /** For what went wrong. */
  tone?: 'danger' | undefined
}

/**
 * A chart of days. The keyboard walks the days with a slider, which says the values; the pointer picks a day too. The same
 * numbers belong into a table beside it.
 */
export function DayChart({ series, totals, pick, span, tone, ...plot }: DayChartProps) {
  const { points, format } = plot
  const [day, setDay] = useState<number>()
  const last = points.length - 1
  const shown = day === undefined ? undefined : points[day]
  const said = (point: DayPoint | undefined) =>
    point && `${point.label}: ${point.values.map((value, at) => `${series[at]} ${format(value)}`).join(', ')}`
  const underPointer = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setDay(Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * points.length))))
  }
  const middle = Math.floor(last / 2)
  return (
    <div className={styles.chart} data-tone={tone}>
      <div className={styles.area}>
        <Plot {...plot} picked={day} />
        <div
          className={styles.pointer}
          onPointerMove={underPointer}
          onPointerDown={underPointer}
          onPointerLeave={({ currentTarget }) => {
            if (!currentTarget.contains(document.activeElement)) setDay(undefined)
          }}
        >
          <input
            type="range"
            className={styles.range}
            aria-label={pick}
            aria-valuetext={said(points[day ?? last])}
            min={0}
            max={last}
            value={day ?? last}
            onFocus={() => setDay((known) => known ?? last)}
            onBlur={() => setDay(undefined)}
            onChange={(event) => setDay(Number(event.target.value))}
          />
        </div>
      </div>
      <div className={styles.days} aria-hidden="true">
        {[0, middle, last].map((at) => (
          <span key={at}>{points[at]?.label}</span>
        ))}
      </div>
      <div className={styles.legend}>
        <span className={styles.when} data-picked={shown ? '' : undefined}>
          {shown?.label ?? span}
        </span>
        {series.length === 1 ? (
          shown && <b>{format(shown.values[0] ?? 0)}</b>
        ) : (
          <ul>
            {series.map(
              (name, at) =>
                totals[at] !== 0 && (
                  <li key={name}>
                    <span className={styles.swatch} data-series={at + 1} aria-hidden="true" />
                    {name} <b>{format((shown?.values ?? totals)[at] ?? 0)}</b>
                  </li>
                ),
            )}
          </ul>
        )}
      </div>
    </div>
  )
}
