/**
 * Removes control characters and text direction marks from all values, so that a name cannot forge a line of a mail or
 * reverse the text after it. Keeps line breaks only in `message`, which may have several lines.
 */
export function stripInvisibleCharacters<Values>(values: Values): Values {
  return asReadable(values, '') as Values
}

function asReadable(value: unknown, name: string): unknown {
  if (typeof value === 'string') return name === 'message' ? seenLines(value) : seen(value)
  if (Array.isArray(value)) return value.map((item) => asReadable(item, name))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asReadable(item, key)]))
}

// Zero-width joiners stay: emoji and several scripts need them.
const unseen = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f\ufeff]+/gu
const seen = (text: string) => text.replaceAll(unseen, ' ').replaceAll(/ {2,}/g, ' ').trim()
const seenLines = (text: string) =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(seen)
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
