import type { Latency } from '../scale/latency.ts'

/** A figure of one size, with the goal that it has. */
export interface Row {
  name: string
  value: string
  goal?: string
  met?: boolean
}

/** The figures of one size of database. */
export interface Report {
  people: number
  rows: Row[]
}

const figure = (value: number) => (Number.isFinite(value) ? value.toFixed(value < 100 ? 1 : 0) : 'too slow')

/** Three times as one figure. */
export const latencyRow = (name: string, { p50, p95, p99 }: Latency): Row => ({
  name: `${name}: p50, p95, p99, ms`,
  value: [p50, p95, p99].map(figure).join(', '),
})

export const goalRow = (
  name: string,
  value: number,
  unit: string,
  goal: { atMost: number } | { atLeast: number },
): Row => ({
  name: `${name}, ${unit}`,
  value: value.toFixed(value < 10 ? 2 : 0),
  ...('atMost' in goal
    ? { goal: `≤ ${goal.atMost}`, met: value <= goal.atMost }
    : { goal: `≥ ${goal.atLeast}`, met: value >= goal.atLeast }),
})

/** The percentiles of some times. */
export function percentiles(times: readonly number[]): Latency {
  const sorted = [...times].sort((one, other) => one - other)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

/** A table in Markdown: a line for each figure, a column for each size. */
export function besideEachOther(reports: readonly Report[]): string {
  const names = [...new Set(reports.flatMap(({ rows }) => rows.map(({ name }) => name)))]
  const lines = names.map((name) => {
    const found = reports.map(({ rows }) => rows.find((row) => row.name === name))
    const goal = found.find((row) => row?.goal)?.goal ?? ''
    const cells = found.map((row) => (row ? `${row.value}${row.met === false ? ' **not met**' : ''}` : ''))
    return `| ${[name, ...cells, goal].join(' | ')} |`
  })
  const sizes = reports.map(({ people }) => `${people.toLocaleString('en')} people`)
  return [`| ${['figure', ...sizes, 'goal'].join(' | ')} |`, `|${'---|'.repeat(sizes.length + 2)}`, ...lines].join('\n')
}
