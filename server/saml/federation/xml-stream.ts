import { StringDecoder } from 'node:string_decoder'
import { ensure } from '../refusal.ts'

/** An attribute as it was written: its name with prefix, and its value with references resolved. */
export type XmlAttribute = readonly [name: string, value: string]

/** What a document consists of, in its order. */
export interface XmlEvents {
  open(name: string, attributes: readonly XmlAttribute[]): void
  close(name: string): void
  text(text: string): void
  instruction(target: string, data: string): void
}

/** The longest tag, comment or reference, in characters: what is held until it is complete. */
const maxHeld = 1_000_000
const maxDepth = 40

const name = '[^\\s<>/="\'?!&]+'
const tagStart = new RegExp(`<(/?)(${name})`, 'y')
const attribute = new RegExp(`\\s+(${name})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'y')
const tagEnd = /\s*(\/?)>/y

/**
 * Reads UTF-8 XML piece by piece, without ever holding more than one tag. Document types are refused. It checks less than a parser: what it
 * is used for is believed only where a signature over all of it says so.
 *
 * @throws Refusal
 */
export function createXmlStream(events: XmlEvents) {
  const decoder = new StringDecoder('utf8')
  let held = ''
  let depth = 0
  let begun = false
  let afterReturn = false

  function say(raw: string): void {
    if (raw === '') return
    if (depth > 0) events.text(resolved(raw))
    else ensure(/^[\s\uFEFF]*$/.test(raw), 'there is text outside the document')
  }

  /** Reads what is complete. */
  function read(final: boolean): void {
    let at = 0
    while (at < held.length) {
      const start = held.indexOf('<', at)
      if (start !== at) {
        const end = start === -1 ? (final ? held.length : endOfText(held, at)) : start
        say(held.slice(at, end))
        at = end
        if (start === -1) break
        continue
      }
      const end = markup(at)
      if (end === undefined) break
      at = end
    }
    held = held.slice(at)
    ensure(held.length <= maxHeld, 'the document has a part that is too long')
  }

  /** @returns where it ends; undefined while it is not complete */
  function markup(at: number): number | undefined {
    if (held.startsWith('<!--', at)) return until('-->', at + 4)
    if (held.startsWith('<![CDATA[', at))
      return until(']]>', at + 9, (text) => {
        ensure(depth > 0, 'there is text outside the document')
        events.text(text)
      })
    if (held.startsWith('<?', at))
      return until('?>', at + 2, (text) => {
        const [, target = '', data = ''] = /^(\S+)\s*(.*)$/s.exec(text) ?? []
        if (depth > 0) events.instruction(target, data)
      })
    if (held.startsWith('<!', at)) {
      if (held.length - at < 9) return undefined
      ensure(false, 'the document has a document type')
    }
    return tag(at)
  }

  function until(end: string, from: number, use: (text: string) => void = () => undefined): number | undefined {
    const found = held.indexOf(end, from)
    if (found === -1) return undefined
    use(held.slice(from, found))
    return found + end.length
  }

  function tag(at: number): number | undefined {
    const complete = endOfTag(held, at)
    if (complete === undefined) return undefined
    tagStart.lastIndex = at
    const [whole, closing, named = ''] = tagStart.exec(held) ?? []
    ensure(whole, 'the document is not well-formed')
    let position = tagStart.lastIndex
    const attributes: XmlAttribute[] = []
    for (attribute.lastIndex = position; ; position = attribute.lastIndex) {
      const found = attribute.exec(held)
      if (!found) break
      const [, key = '', double, single] = found
      attributes.push([key, resolved((double ?? single ?? '').replace(/[\t\n]/g, ' '))])
    }
    tagEnd.lastIndex = position
    const ended = tagEnd.exec(held)
    ensure(ended && tagEnd.lastIndex === complete, 'the document is not well-formed')
    if (closing) {
      ensure(attributes.length === 0 && depth > 0, 'the document is not well-formed')
      depth--
      events.close(named)
    } else {
      ensure(depth > 0 || !begun, 'the document has two roots')
      begun = true
      ensure(depth < maxDepth, 'the document is nested too deeply')
      events.open(named, attributes)
      if (ended[1]) events.close(named)
      else depth++
    }
    return complete
  }

  return {
    write(bytes: Uint8Array): void {
      let text = decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      // Line endings are normalised: XML, 2.11.
      if (afterReturn && text.startsWith('\n')) text = text.slice(1)
      if (text !== '') afterReturn = text.endsWith('\r')
      held += text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
      read(false)
    },
    end(): void {
      held += decoder.end()
      read(true)
      ensure(begun && depth === 0 && held === '', 'the document is not complete')
    },
  }
}

/** A reference at the end may be incomplete. */
function endOfText(text: string, from: number): number {
  const reference = text.lastIndexOf('&')
  return reference >= from && !text.includes(';', reference) ? reference : text.length
}

/** `>` may stand in a value. */
function endOfTag(text: string, from: number): number | undefined {
  let at = from
  for (;;) {
    const close = text.indexOf('>', at)
    if (close === -1) return undefined
    const quote = firstQuote(text, at, close)
    if (!quote) return close + 1
    const other = text.indexOf(quote.sign, quote.at + 1)
    if (other === -1) return undefined
    at = other + 1
  }
}

function firstQuote(text: string, from: number, to: number): { sign: string; at: number } | undefined {
  for (let at = from; at < to; at++) {
    const sign = text[at]
    if (sign === '"' || sign === "'") return { sign, at }
  }
  return undefined
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The text with its references resolved. Only those of XML itself exist, because there is no document type. */
const resolved = (raw: string): string =>
  raw.includes('&')
    ? raw.replaceAll(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(\w+));|&/gi, (_, hex, decimal, entity) => {
        if (entity !== undefined && Object.hasOwn(named, entity)) return named[entity] ?? ''
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
        ensure(code > 0 && code <= 0x10ffff, 'the document has an unknown reference')
        return String.fromCodePoint(code)
      })
    : raw
