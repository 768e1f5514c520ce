import type { Field } from './contract-fields.ts'
import { longestBlock, totalCpuTime } from './event-loop.ts'

/** No request may block the event loop for longer than this: milliseconds. */
export const mostBlocked = 20

/** The most bytes that reach the schema: the body limit, or Node's limit of request headers. */
const room = ({ in: place, declared: { route } }: Field) =>
  place === 'params' ? 190 : place === 'query' ? 15_000 : (route.bodyLimit ?? 64 * 1024) - 1000

/** The text repeated to the size limit of the request, and to the limit of the field. */
export function* long(field: Field, text: string): Generator<string> {
  const isJson = field.in === 'body' && field.declared.route.body !== 'form'
  const size = isJson ? Buffer.byteLength(JSON.stringify(text)) - 2 : encodeURIComponent(text.toWellFormed()).length
  const most = Math.floor(room(field) / Math.max(1, size))
  yield text.repeat(Math.max(1, most))
  const { maxLength } = field.schema as { maxLength?: number }
  if (maxLength) yield text.repeat(Math.max(1, Math.min(most, Math.floor(maxLength / text.length))))
}

/** The longest block; the best of several runs, because garbage collection is not caused by the input. */
export async function cost(work: () => Promise<unknown>): Promise<number> {
  // The total CPU time is an upper bound, and cheap to measure.
  let best = await totalCpuTime(work)
  for (let tries = 0; tries < 4 && best > mostBlocked; tries++) best = Math.min(best, await longestBlock(work))
  return best
}

/**
 * Combining marks to reorder, text that grows when folded, and input that makes regular expressions or decoders backtrack, or
 * markup begin again and again.
 */
export const worst = [
  ...['\u0301\u0316', '\ufdfa', '\u0130', '\ud800', '\u0000', 'A', ' ', '\t', '%', '%)', '\\', '.', '@.'],
  ...['xn--', 'a@xn--99zzz9.', '/../', '<!', '<a b="">', '{{', '{{ ', '[', '[](', '**', '\n\n', '- '],
]
