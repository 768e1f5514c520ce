import { ensure } from '../refusal.ts'
import type { XmlAttribute } from './xml-stream.ts'

/** Prefixes with their namespaces; '' is the default one. */
export type Scope = ReadonlyMap<string, string>
const xml = 'http://www.w3.org/XML/1998/namespace'

/** The namespaces inside an element. */
export function scopeOf(outer: Scope, attributes: readonly XmlAttribute[]): Scope {
  const declared = attributes.filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'))
  if (declared.length === 0) return outer
  const inner = new Map(outer)
  for (const [name, value] of declared) inner.set(name === 'xmlns' ? '' : name.slice(6), value)
  return inner
}

export const prefixOf = (name: string) => {
  const colon = name.indexOf(':')
  return colon === -1 ? '' : name.slice(0, colon)
}
export const localOf = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Writes an element and what is in it in canonical form as it comes (Exclusive XML Canonicalization 1.0, without comments).
 *
 * @param write takes the text piece by piece
 * @param inclusive the prefixes of `InclusiveNamespaces`, which are treated as in Canonical XML 1.0
 */
export function createCanonicalStream(write: (text: string) => void, inclusive: ReadonlySet<string> = new Set()) {
  /** Which namespaces the elements around have been written with. */
  const rendered: Scope[] = [new Map()]
  return {
    open(name: string, attributes: readonly XmlAttribute[], scope: Scope): void {
      const above = rendered.at(-1) ?? new Map<string, string>()
      const own = attributes.filter(([key]) => key !== 'xmlns' && !key.startsWith('xmlns:'))
      const used = new Set([prefixOf(name), ...own.map(([key]) => prefixOf(key)).filter((prefix) => prefix !== '')])
      for (const prefix of inclusive) if (scope.has(prefix)) used.add(prefix)
      used.delete('xml')
      const fresh = [...used]
        .map((prefix) => [prefix, spaceOf(scope, prefix)] as const)
        .filter(([prefix, space]) => (above.get(prefix) ?? '') !== space)
        .sort(byName)
      const sorted = own
        .map(([key, value]) => ({ key, value, space: prefixOf(key) === '' ? '' : spaceOf(scope, prefixOf(key)) }))
        .sort((a, b) => order(a.space, b.space) || order(localOf(a.key), localOf(b.key)))
      ensureOnce(sorted)
      rendered.push(fresh.length === 0 ? above : new Map([...above, ...fresh]))
      const spaces = fresh.map(([prefix, space]) => ` xmlns${prefix && `:${prefix}`}="${inAttribute(space)}"`)
      const values = sorted.map(({ key, value }) => ` ${key}="${inAttribute(value)}"`)
      write(`<${name}${spaces.join('')}${values.join('')}>`)
    },
    close(name: string): void {
      rendered.pop()
      write(`</${name}>`)
    },
    text: (text: string): void => write(inText(text)),
    instruction: (target: string, data: string): void => write(`<?${target}${data && ` ${data}`}?>`),
  }
}
export type CanonicalStream = ReturnType<typeof createCanonicalStream>

function spaceOf(scope: Scope, prefix: string): string {
  if (prefix === 'xml') return xml
  const space = scope.get(prefix)
  ensure(space !== undefined || prefix === '', 'the document uses a prefix without a namespace')
  return space ?? ''
}

function ensureOnce(sorted: readonly { key: string; space: string }[]): void {
  const twice = sorted.some((one, at) => {
    const next = sorted[at + 1]
    return next && one.space === next.space && localOf(one.key) === localOf(next.key)
  })
  ensure(!twice, 'an element has an attribute twice')
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const byName = ([a]: readonly [string, string], [b]: readonly [string, string]) => order(a, b)

const textSigns: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' }
const inText = (text: string) =>
  /[&<>\r]/.test(text) ? text.replaceAll(/[&<>\r]/g, (sign) => textSigns[sign] ?? sign) : text
const attributeSigns: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '"': '&quot;', '\t': '&#x9;', '\n': '&#xA;', '\r': '&#xD;' },
}
const inAttribute = (text: string) =>
  /[&<"\t\n\r]/.test(text) ? text.replaceAll(/[&<"\t\n\r]/g, (sign) => attributeSigns[sign] ?? sign) : text
