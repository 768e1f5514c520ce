import { isObject, type Json } from './value.ts'

/** A name in two parts; null for what it does not say. */
interface PersonName {
  firstName: string | undefined
  lastName: string | undefined
}

const asText = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)
/** They begin a last name of several words. */
const particles = new Set(['af', 'von', 'van', 'de', 'der', 'den', 'di', 'da', 'la', 'le', 'du', 'bin', 'al'])

/** First and last name, from whatever part a directory sends them in: what it says of the parts counts before a whole name. */
export function nameOfPerson({ name, displayName }: Json): PersonName {
  const parts = isObject(name) ? name : {}
  const [first, last] = [asText(parts.givenName), asText(parts.familyName)]
  if (first !== undefined && last !== undefined) return { firstName: first, lastName: last }
  const whole = asText(parts.formatted) ?? asText(displayName)
  if (whole === undefined) return { firstName: first, lastName: last }
  const words = inOrder(whole)
  if (first !== undefined) return { firstName: first, lastName: without(words, first.split(/\s+/), 'start') }
  if (last !== undefined) return { firstName: without(words, last.split(/\s+/), 'end'), lastName: last }
  const begin = words.findIndex((word, index) => index > 0 && particles.has(word.toLowerCase()))
  const at = begin === -1 ? Math.max(1, words.length - 1) : begin
  return { firstName: joined(words.slice(0, at)), lastName: joined(words.slice(at)) }
}

/** `Lind, Kim (Region Skåne)` is Kim Lind. */
function inOrder(whole: string): string[] {
  const [written = ''] = whole.split('(')
  const [last = '', ...first] = written.split(',')
  return `${first.join(' ')} ${last}`.split(/\s+/).filter((word) => word !== '')
}

const joined = (words: readonly string[]) => (words.length > 0 ? words.join(' ') : undefined)

/** The rest of a whole name, where it begins or ends with the part that is known. */
function without(words: readonly string[], known: readonly string[], place: 'start' | 'end'): string | undefined {
  const cut = place === 'start' ? words.slice(0, known.length) : words.slice(-known.length)
  const isSame = cut.join(' ').toLowerCase() === known.join(' ').toLowerCase()
  if (!isSame) return undefined
  return joined(place === 'start' ? words.slice(known.length) : words.slice(0, -known.length))
}
