import { type KeyObject, X509Certificate } from 'node:crypto'
import type { SignedXml } from 'xml-crypto'
import type { AnswerOutline } from './answer-outline.ts'
import { demand, Refusal } from './refusal.ts'
import { algorithms } from './signature-algorithms.ts'
import { onlyChild, parseXml, type XmlElement } from './xml.ts'

/** What a configuration demands of an answer's signatures, and whom they must be of. */
export interface Signers {
  /** PEM, one certificate each. During a roll-over there are two. */
  certificates: readonly string[]
  wantAssertionsSigned: boolean | null
  wantAuthnResponseSigned: boolean | null
}

/**
 * The assertion as it was signed, in canonical form: nothing else of an answer may be believed. Whatever signature is
 * there must be right, and there must be the ones that the configuration wants, at least one.
 *
 * @param xml an answer
 * @param outline of this answer: where its signatures stand, and that they are over the elements in which they stand
 * @throws Refusal
 */
export async function signedAssertion(xml: string, outline: AnswerOutline, signers: Signers): Promise<string> {
  const { responseSigned, assertionSigned } = outline
  const { certificates, wantAssertionsSigned, wantAuthnResponseSigned } = signers
  demand(responseSigned || assertionSigned, 'the answer is not signed')
  demand(assertionSigned || !wantAssertionsSigned, 'the assertion is not signed')
  demand(responseSigned || !wantAuthnResponseSigned, 'the response is not signed')
  demand(certificates.length > 0, 'the configuration has no usable certificate')
  const library = await import('xml-crypto')
  const keys = certificates.map((certificate) => new X509Certificate(certificate).publicKey)
  const verified = (element: XmlElement) => signedText(xml, element, { library, keys })
  const response = parseXml(xml)
  const signedResponse = responseSigned ? verified(response) : undefined
  const assertion = onlyChild(response, 'assertion', 'Assertion')
  const signed = assertionSigned ? verified(assertion) : undefined
  return signed ?? String(onlyChild(parseXml(signedResponse ?? ''), 'assertion', 'Assertion'))
}

interface Means {
  library: { SignedXml: typeof SignedXml }
  keys: readonly KeyObject[]
}

/** The text over which the signature in an element is, once one of the keys has made it. */
function signedText(xml: string, element: XmlElement, { library, keys }: Means): string {
  const signature = onlyChild(element, 'signature', 'Signature')
  let cause: unknown
  for (const publicCert of keys) {
    const check = Object.assign(new library.SignedXml({ publicCert }), algorithms, { idAttributes: ['ID'] })
    try {
      check.loadSignature(signature)
      const right = check.checkSignature(xml)
      const [text, ...more] = check.getSignedReferences()
      if (right && text && more.length === 0) return text
    } catch (error) {
      // Told by an error too: the next key may be the one.
      cause = error
    }
  }
  throw new Refusal('the answer is not signed by this identity provider', { cause })
}
