import { decodeResponse } from './decode-response.ts'
import { ensure } from './refusal.ts'
import { ensureUniqueIds } from './response-structure.ts'
import { checkSignatureForm } from './signature-form.ts'
import { verifyRoot } from './signed-assertion.ts'
import { getAttribute, optionalChild, parseXml, selfAndDescendants } from './xml.ts'

/** Anyone may post one, and to verify it takes time. */
const maxElements = 100

/**
 * Reads a signed request from a form (HTTP POST binding: Bindings, 3.5): one signature, over the whole message.
 *
 * @param certificates PEM, one certificate each
 * @returns what was signed
 * @throws Refusal
 */
export async function readPostedRequest(base64: string, certificates: readonly string[]): Promise<string> {
  const xml = decodeResponse(base64, maxElements)
  const root = parseXml(xml)
  const elements = selfAndDescendants(root)
  const signature = optionalChild(root, 'signature', 'Signature')
  ensure(signature, 'the request is not signed', 'signature')
  ensure(
    elements.filter(({ localName }) => localName === 'Signature').length === 1,
    'the request has a signature out of place',
  )
  ensureUniqueIds(elements)
  checkSignatureForm(signature, getAttribute(root, 'ID'))
  return verifyRoot(xml, certificates)
}
