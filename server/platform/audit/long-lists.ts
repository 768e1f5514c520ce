/** The longest value of an event; what is longer is cut. */
export const maxValue = 4000

/**
 * Lists what an event must not leave out in as many values as hold it whole, one for each of several events: of a list that is cut,
 * the last ones would have been changed without a trace.
 */
export function inWholeValues(entries: readonly string[]): string[] {
  const values: string[] = []
  for (const entry of entries) {
    const longer = values.length > 0 ? `${values.at(-1)}, ${entry}` : entry
    if (values.length > 0 && longer.length <= maxValue) values[values.length - 1] = longer
    else values.push(entry)
  }
  return values
}
