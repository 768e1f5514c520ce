/**
 * The same values with every text as it can be seen: no control characters, and no marks that turn the direction of
 * what follows, so that a name can neither forge a line of a mail nor show another mail's words backwards.
 * Line breaks stay only where a person writes several lines: in `message`.
 */
export function readable<Values>(values: Values): Values {
  return asReadable(values, '') as Values
}

function asReadable(value: unknown, name: string): unknown {
  if (typeof value === 'string') return name === 'message' ? seenLines(value) : seen(value)
  if (Array.isArray(value)) return value.map((item) => asReadable(item, name))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asReadable(item, key)]))
}

// Zero-width joiners stay: emoji and several scripts are written with them.
const unseen = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f\ufeff]+/gu
const seen = (text: string) => text.replaceAll(unseen, ' ').replaceAll(/ {2,}/g, ' ').trim()
const seenLines = (text: string) =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(seen)
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
