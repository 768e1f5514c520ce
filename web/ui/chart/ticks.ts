/**
 * The lines of an axis from 0: steps of 1, 2 or 5 and their tens, whole numbers, at most `intervals` of them.
 *
 * @param most the largest value; the last line lies at it or above
 */
export function ticks(most: number, intervals = 4): number[] {
  const least = Math.max(most, 1) / intervals
  const power = 10 ** Math.floor(Math.log10(least))
  const step = Math.max(1, ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power)
  const count = Math.ceil(Math.max(most, 1) / step)
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}
