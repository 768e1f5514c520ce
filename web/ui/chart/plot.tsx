import styles from './chart.module.css'
import { ticks } from './ticks.ts'

export interface DayPoint {
  key: string
  label: string
  /** One for each series, in the order in which bars stand on each other. */
  values: readonly number[]
}

export interface PlotProps {
  kind: 'bars' | 'line'
  /** What the picture shows, in a sentence: the name of the image. */
  summary: string
  points: readonly DayPoint[]
  /** The index of the day that is marked. */
  picked: number | undefined
  format: (value: number) => string
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/**
 * The picture itself. Everything is placed in per cent, so that nothing is measured, texts keep their size, and it fits
 * on paper (decision 0032).
 */
export function Plot({ kind, summary, points, picked, format }: PlotProps) {
  const marks = ticks(Math.max(...points.map(({ values }) => sum(values))))
  const top = marks.at(-1) ?? 1
  const y = (value: number) => 100 - (100 * value) / top
  const band = 100 / points.length
  return (
    <svg className={styles.plot} role="img" aria-label={summary}>
      {marks.map((mark) => (
        <g key={mark}>
          <line x2="100%" y1={`${y(mark)}%`} y2={`${y(mark)}%`} />
          <text x="-8" y={`${y(mark)}%`} dominantBaseline="middle" textAnchor="end">
            {format(mark)}
          </text>
        </g>
      ))}
      {picked !== undefined && (
        <rect className={styles.band} x={`${picked * band}%`} width={`${band}%`} height="100%" />
      )}
      {kind === 'bars' ? <Bars points={points} y={y} band={band} /> : <Line points={points} y={y} band={band} />}
      <line x2="100%" y1="100%" y2="100%" data-base="" />
      {kind === 'line' && picked !== undefined && (
        <circle cx={`${(picked + 0.5) * band}%`} cy={`${y(points[picked]?.values[0] ?? 0)}%`} r="4" />
      )}
    </svg>
  )
}

interface ShapeProps extends Pick<PlotProps, 'points'> {
  y: (value: number) => number
  band: number
}

function Bars({ points, y, band }: ShapeProps) {
  return points.map(({ key, values }, day) =>
    values.map((value, series) => {
      if (value === 0) return null
      const below = sum(values.slice(0, series))
      return (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a series is its place
          key={`${key}-${series}`}
          data-series={series + 1}
          x={`${(day + 0.14) * band}%`}
          width={`${0.72 * band}%`}
          y={`${y(below + value)}%`}
          height={`${y(below) - y(below + value)}%`}
        />
      )
    }),
  )
}

/** Stretched to the box; the line keeps its width. */
function Line({ points, y, band }: ShapeProps) {
  const line = points.map(({ values }, day) => `${(day + 0.5) * band},${y(values[0] ?? 0)}`).join(' ')
  const ends = `${(points.length - 0.5) * band},100 ${0.5 * band},100`
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" overflow="visible" aria-hidden="true">
      <polygon points={`${line} ${ends}`} />
      <polyline points={line} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
