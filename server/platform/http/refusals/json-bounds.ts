import type { JsonBounds } from '#contract/body-limits.ts'

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c]
const [openObject, openList, closeObject, closeList] = [0x7b, 0x5b, 0x7d, 0x5d]

/**
 * Of every body, wider than anything that a call takes. What a room reads key by key, or level by level, is small then, whatever the
 * body is.
 */
export const usualBounds: JsonBounds = {
  ...{ depth: 32, names: 1000, values: 100_000, altogether: 100_000 },
  ...{ name: Number.POSITIVE_INFINITY, text: Number.POSITIVE_INFINITY },
}

/**
 * Whether a JSON text keeps within bounds. It is read once from left to right and not parsed: parsing 120,000 names, or a million
 * lists in each other, would hold up everybody else. A text that is no JSON is for the parser to refuse.
 */
export function isWithinBounds(text: string, bounds: JsonBounds): boolean {
  const counts: number[] = []
  const most: number[] = []
  let altogether = 0
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === quote) {
      const end = endOfText(text, at)
      length = end - at - 1
      if (length > bounds.text) return false
      at = end
    } else if (sign === colon) {
      if (length > bounds.name) return false
    } else if (sign === comma) {
      const depth = counts.length - 1
      counts[depth] = (counts[depth] ?? 0) + 1
      if ((counts[depth] ?? 0) >= (most[depth] ?? 0) || ++altogether > bounds.altogether) return false
    } else if (sign === openObject || sign === openList) {
      counts.push(0)
      most.push(sign === openObject ? bounds.names : bounds.values)
      if (counts.length > bounds.depth || ++altogether > bounds.altogether) return false
    } else if (sign === closeObject || sign === closeList) {
      counts.pop()
      most.pop()
    }
  }
  return true
}

/** Where the quote is that ends a text. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) === backslash) before--
    if ((at - before) % 2 === 1) return at
  }
  return text.length
}
