import { demand, Refusal } from './refusal.ts'

// Far above what identity providers send, and far below what keeps a parser busy: those that follow copy and recurse. The
// signature is looked for in every element, again and again: with 5000 of them anybody could stop the process for a second.
const most = { depth: 40, elements: 1000, attributes: 40 }

const utf8 = new TextDecoder('utf-8', { fatal: true })
const declaration = /^\s*<\?xml\s[^<>?]*\?>/

/**
 * The XML of an answer as its form carries it: whole, in UTF-8, without a document type, comments and CDATA, and of a
 * size and depth that no parser suffers from.
 *
 * @throws Refusal
 */
export function decodeAnswer(base64: string): string {
  const packed = base64.replaceAll(/\s/g, '')
  const bytes = Buffer.from(packed, 'base64')
  demand(packed !== '' && bytes.toString('base64') === packed, 'the answer is not in base64')
  // Every end of a line is a line feed, also to what was signed: XML, 2.11.
  const xml = utf8Text(bytes).replace(declaration, '').replaceAll(/\r\n?/g, '\n')
  // What begins like this is a document type, an entity, a comment or CDATA: nothing that an answer needs.
  demand(!xml.includes('<!'), 'the answer has a document type, a comment or CDATA')
  demand(!xml.includes('<?'), 'the answer has processing instructions')
  bound(xml)
  return xml
}

function utf8Text(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new Refusal('the answer is not in UTF-8', { cause })
  }
}

const name = '[^\\s<>/="\'?!]+'
const attribute = `\\s+${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*')`
const tag = new RegExp(`<(?:/${name}\\s*|${name}((?:${attribute})*)\\s*(/?))>`, 'y')
const attributes = new RegExp(attribute, 'g')

/** Counts tags without building anything. */
function bound(xml: string): void {
  let depth = 0
  let elements = 0
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', tag.lastIndex)) {
    tag.lastIndex = at
    const found = tag.exec(xml)
    demand(found, 'the answer is not well-formed')
    const [text, own = '', closed] = found
    if (text.startsWith('</')) {
      depth--
      continue
    }
    elements++
    if (!closed) depth++
    demand(depth <= most.depth, 'the answer is nested too deeply')
    demand(elements <= most.elements, 'the answer has too many elements')
    demand((own.match(attributes)?.length ?? 0) <= most.attributes, 'the answer has too many attributes')
  }
}
