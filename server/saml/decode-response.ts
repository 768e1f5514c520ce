import { ensure, Refusal } from './refusal.ts'

// Far above what identity providers send, and far below what slows down the parsers, which copy and recurse. The search
// for signatures visits every element repeatedly: 5000 elements could block the process for a second.
const limits = { depth: 40, elements: 1000, attributes: 40 }
// Apart from these: each group and role of a person, of which Active Directory sends up to 1,015.
const maxValues = 2200

const utf8 = new TextDecoder('utf-8', { fatal: true })
const declaration = /^\s*<\?xml\s[^<>?]*\?>/

/**
 * Decodes the XML of a posted response: valid base64 and UTF-8, without document type, comments and CDATA, and of bounded
 * size and depth.
 *
 * @throws Refusal
 */
export function decodeResponse(base64: string, maxElements?: number): string {
  const packed = base64.replaceAll(/\s/g, '')
  const bytes = Buffer.from(packed, 'base64')
  ensure(packed !== '' && bytes.toString('base64') === packed, 'the answer is not in base64')
  return maxElements === undefined ? decodeAnswer(bytes) : decodeXml(bytes, maxElements)
}

/** Decodes an answer, posted or decrypted: its attributes and their values are bounded apart. @throws Refusal */
export const decodeAnswer = (bytes: Uint8Array): string => boundXml(utf8Text(bytes), limits.elements, maxValues)

/**
 * Decodes what was posted, or decrypted.
 *
 * @throws Refusal
 */
export const decodeXml = (bytes: Uint8Array, maxElements?: number): string => boundXml(utf8Text(bytes), maxElements)

/**
 * The text of a document without its declaration. It has no document type, comments, CDATA and processing instructions,
 * and is of bounded depth and number of elements.
 *
 * @throws Refusal
 */
export function boundXml(text: string, maxElements = limits.elements, valuesApart?: number): string {
  // Line endings are normalised to line feeds, as they were for signing: XML, 2.11.
  const xml = text.replace(declaration, '').replaceAll(/\r\n?/g, '\n')
  // `<!` begins a document type, an entity, a comment or CDATA, which no response needs.
  ensure(!xml.includes('<!'), 'the answer has a document type, a comment or CDATA')
  ensure(!xml.includes('<?'), 'the answer has processing instructions')
  ensureBounds(xml, maxElements, valuesApart)
  return xml
}

function utf8Text(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new Refusal('the answer is not in UTF-8', { cause })
  }
}

const name = '[^\\s<>/="\'?!]+'
const attribute = `\\s+${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*')`
const tag = new RegExp(`<(?:/${name}\\s*|${name}((?:${attribute})*)\\s*(/?))>`, 'y')
const attributes = new RegExp(attribute, 'gy')
const ofAttribute = /^<(?:[^\s:/>]+:)?Attribute(?:Value)?[\s/>]/

/** Counts tags without building a tree. */
function ensureBounds(xml: string, maxElements: number, valuesApart: number | undefined): void {
  let depth = 0
  let elements = 0
  let values = 0
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', tag.lastIndex)) {
    tag.lastIndex = at
    const found = tag.exec(xml)
    ensure(found, 'the answer is not well-formed')
    const [text, own = '', closed] = found
    if (text.startsWith('</')) {
      depth--
      continue
    }
    if (valuesApart !== undefined && ofAttribute.test(text)) values++
    else elements++
    if (!closed) depth++
    ensure(depth <= limits.depth, 'the answer is nested too deeply')
    ensure(elements <= maxElements, 'the answer has too many elements')
    ensure(values <= (valuesApart ?? 0), 'the answer has too many attribute values', 'attributes')
    ensure((own.match(attributes)?.length ?? 0) <= limits.attributes, 'the answer has too many attributes')
  }
}
