import { decodeXml } from '#contract/saml-configs/xml-text.ts'
import { Refusal } from './refusal.ts'

/**
 * The text of an XML document, in the encoding that it says.
 *
 * @throws Refusal
 */
export function xmlText(bytes: Uint8Array): string {
  try {
    return decodeXml(bytes)
  } catch (cause) {
    throw new Refusal('the metadata is not in the encoding that it names', { cause })
  }
}

const parts = [
  { start: '<!--', end: '-->' },
  { start: '<![CDATA[', end: ']]>' },
  { start: '<?', end: '?>' },
] as const

/**
 * Metadata without what stands around it in a browser's window, and without comments and processing instructions; CDATA becomes
 * plain text. Nothing that is verified is read from this text, so that nothing depends on what is dropped.
 *
 * @throws Refusal
 */
export function plainMetadata(text: string): string {
  const end = text.lastIndexOf('>') + 1
  const xml = text.slice(Math.max(text.indexOf('<'), 0), text.includes('<', end) ? undefined : end)
  const plain: string[] = []
  let at = 0
  for (;;) {
    const start = nextPart(xml, at)
    if (!start) return plain.join('') + xml.slice(at)
    const { part, index } = start
    const close = xml.indexOf(part.end, index + part.start.length)
    if (close === -1) throw new Refusal('a comment, CDATA or processing instruction has no end')
    plain.push(xml.slice(at, index))
    if (part.start === '<![CDATA[') plain.push(escaped(xml.slice(index + part.start.length, close)))
    at = close + part.end.length
  }
}

/** The next of the parts, in one walk: each search ends at the first `<` that begins one. */
function nextPart(xml: string, from: number) {
  for (let index = xml.indexOf('<', from); index !== -1; index = xml.indexOf('<', index + 1)) {
    const part = parts.find(({ start }) => xml.startsWith(start, index))
    if (part) return { part, index }
  }
  return undefined
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
