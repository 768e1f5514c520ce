import { ensure } from './refusal.ts'
import { digestMethods, signatureMethods } from './signature-algorithms.ts'
import { childElements, getAttribute, getText, isElement, onlyChild, optionalChild, type XmlElement } from './xml.ts'

/** With comments or without is the same here: a document with comments is refused before (`decode-response.ts`). */
const canonicalizations = new Set([
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments',
])
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
/** Enveloped signature and canonicalization. Each transform processes the whole unverified element. */
const maxTransforms = 2

/**
 * Checks the form of a signature (Core, 5.4): it covers exactly its parent element, with an allowed algorithm. Does not
 * verify who signed.
 *
 * @param id the id of the parent element
 * @throws Refusal
 */
export function checkSignatureForm(signature: XmlElement, id: string | undefined): void {
  ensure(id !== undefined && /^[A-Za-z_][\w.-]*$/.test(id), 'the signed element has no valid id', 'signature')
  const info = onlyChild(signature, 'signature', 'SignedInfo')
  getText(onlyChild(signature, 'signature', 'SignatureValue'))
  optionalChild(signature, 'signature', 'KeyInfo')
  ensureOnly(signature, ['SignedInfo', 'SignatureValue', 'KeyInfo'])
  ensureOnly(info, ['CanonicalizationMethod', 'SignatureMethod', 'Reference'])
  ensure(
    canonicalizations.has(algorithmOf(info, 'CanonicalizationMethod')),
    'a signature uses an unknown canonicalization',
    'signature',
  )
  ensure(
    signatureMethods.has(algorithmOf(info, 'SignatureMethod')),
    'a signature uses an algorithm that is not allowed',
    'signature',
  )
  const reference = onlyChild(info, 'signature', 'Reference')
  ensureOnly(reference, ['Transforms', 'DigestMethod', 'DigestValue'])
  ensure(getAttribute(reference, 'URI') === `#${id}`, 'a signature is over something else', 'signature')
  ensure(
    digestMethods.has(algorithmOf(reference, 'DigestMethod')),
    'a digest uses an algorithm that is not allowed',
    'signature',
  )
  getText(onlyChild(reference, 'signature', 'DigestValue'))
  const transforms = onlyChild(reference, 'signature', 'Transforms')
  ensureOnly(transforms, ['Transform'])
  const ways = childElements(transforms).map((one) => getAttribute(one, 'Algorithm') ?? '')
  ensure(
    ways.length <= maxTransforms,
    'a signature is over something that was transformed more than twice',
    'signature',
  )
  ensure(
    ways.includes(enveloped) && ways.every((way) => way === enveloped || canonicalizations.has(way)),
    'a signature is over something that was transformed',
    'signature',
  )
}

/** The library ignores namespaces, so a signature may contain only known elements of the signature namespace. */
function ensureOnly(parent: XmlElement, names: readonly string[]): void {
  ensure(
    childElements(parent).every((part) => names.some((name) => isElement(part, 'signature', name))),
    'a signature contains unexpected elements',
    'signature',
  )
}

const algorithmOf = (parent: XmlElement, name: string) =>
  getAttribute(onlyChild(parent, 'signature', name), 'Algorithm') ?? ''
