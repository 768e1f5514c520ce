/** A measured figure beside the limit that was measured in the same run. */
export interface Figure {
  name: string
  value: number
  unit: string
  /** What the machine can do at best, measured in this run, or a fixed budget. */
  limit: { what: string; value: number }
  /** value / limit must be at least (a rate) or at most (a cost) this; `none` for a figure that is only told. */
  target: { atLeast: number } | { atMost: number } | 'none'
}

/** A figure beside a fixed budget. */
export const budget = (name: string, value: number, unit: string, most: number): Figure => ({
  name,
  value,
  unit,
  limit: { what: 'budget', value: most },
  target: { atMost: 1 },
})

/** Runs the same thing again and again, so many at once, for so long; how many a second were done. */
export async function rate(atOnce: number, seconds: number, work: (worker: number) => Promise<void>): Promise<number> {
  const end = performance.now() + seconds * 1000
  let done = 0
  const since = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async (_, worker) => {
      while (performance.now() < end) {
        await work(worker)
        done++
      }
    }),
  )
  return done / ((performance.now() - since) / 1000)
}

/**
 * Does each in turn, again and again, and every other time in reverse: a machine whose speed drifts is then as fast for one as
 * for the other.
 *
 * @returns the median of each
 */
export async function inTurns<Name extends string>(
  rounds: number,
  works: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[]
  const seen = new Map(names.map((name) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++)
    for (const name of round % 2 ? names.toReversed() : names) seen.get(name)?.push(await works[name]())
  for (const [name, values] of seen) console.log(`${name}: ${values.map(number).join(', ')}`)
  return Object.fromEntries([...seen].map(([name, values]) => [name, median(values)])) as Record<Name, number>
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const number = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2))

/** The table, a line each. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, limit, target }) => {
    const ratio = value / limit.value
    const [wanted, met] =
      target === 'none'
        ? ['', '']
        : 'atLeast' in target
          ? [`≥ ${target.atLeast}`, ratio >= target.atLeast ? 'met' : 'NOT MET']
          : [`≤ ${target.atMost}`, ratio <= target.atMost ? 'met' : 'NOT MET']
    return [
      name,
      `${number(value)} ${unit}`,
      `${limit.what}: ${number(limit.value)} ${unit}`,
      ratio.toFixed(2),
      wanted,
      met,
    ]
  })
  const all = [['figure', 'measured', 'limit', 'ratio', 'target', ''], ...rows]
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? []
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
