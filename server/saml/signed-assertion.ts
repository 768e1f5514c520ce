import { type KeyObject, X509Certificate } from 'node:crypto'
import type { SignedXml } from 'xml-crypto'
import { decodeAnswer } from './decode-response.ts'
import { decryptAssertion } from './decrypt-assertion.ts'
import { ensure, Refusal } from './refusal.ts'
import { checkDecrypted, type ResponseStructure } from './response-structure.ts'
import { algorithms } from './signature-algorithms.ts'
import { onlyChild, parseXml, type XmlElement } from './xml.ts'

/** Which parts must be signed, and by which certificates. */
export interface SignatureRequirements {
  /** PEM, one certificate each. During a key rotation there are two. */
  certificates: readonly string[]
  wantAssertionsSigned: boolean | null
  wantAuthnResponseSigned: boolean | null
  /** Our keys, which decrypt an encrypted assertion. */
  decryptionKeys: () => readonly KeyObject[]
  /** AES-CBC is decrypted too, in a response that is signed as a whole. */
  cbcAllowed: boolean
}

/**
 * Verifies the signatures and returns the signed assertion in canonical form; nothing else of the response is trusted.
 * Every signature present must be valid. At least one must be present, and all that the configuration requires. An
 * encrypted assertion is decrypted after the response's signature is verified, and may have its own inside.
 *
 * @param xml the response
 * @param outline its checked structure: where it is signed
 * @throws Refusal
 */
export async function extractSignedAssertion(
  xml: string,
  outline: ResponseStructure,
  signers: SignatureRequirements,
  onDecrypted?: () => void,
): Promise<string> {
  const { responseSigned, encrypted } = outline
  const { certificates, wantAuthnResponseSigned, decryptionKeys, cbcAllowed } = signers
  if (!encrypted) ensureSigned(outline, signers)
  ensure(responseSigned || !wantAuthnResponseSigned, 'the response is not signed', 'signature')
  ensure(certificates.length > 0, 'the configuration has no usable certificate', 'signature')
  const library = await import('xml-crypto')
  const keys = certificates.map((certificate) => new X509Certificate(certificate).publicKey)
  const response = parseXml(xml)
  // What is read of a signed response is what was signed.
  const read = responseSigned ? parseXml(signedText(xml, response, { library, keys })) : response
  if (!encrypted) {
    const assertion = onlyChild(response, 'assertion', 'Assertion')
    return outline.assertionSigned
      ? signedText(xml, assertion, { library, keys })
      : String(onlyChild(read, 'assertion', 'Assertion'))
  }
  const decryption = { keys: decryptionKeys(), cbc: cbcAllowed && responseSigned }
  const plain = decodeAnswer(decryptAssertion(onlyChild(read, 'assertion', 'EncryptedAssertion'), decryption))
  onDecrypted?.()
  const assertionSigned = checkDecrypted(plain)
  ensureSigned({ responseSigned, assertionSigned }, signers)
  return assertionSigned ? signedText(plain, parseXml(plain), { library, keys }) : plain
}

function ensureSigned(
  { responseSigned, assertionSigned }: Pick<ResponseStructure, 'responseSigned' | 'assertionSigned'>,
  { wantAssertionsSigned }: SignatureRequirements,
): void {
  ensure(responseSigned || assertionSigned, 'the answer is not signed', 'signature')
  ensure(assertionSigned || !wantAssertionsSigned, 'the assertion is not signed', 'signature')
}

/**
 * Verifies the signature in the root of a message.
 *
 * @returns what was signed, in canonical form
 * @throws Refusal
 */
export async function verifyRoot(xml: string, certificates: readonly string[]): Promise<string> {
  const library = await import('xml-crypto')
  const keys = certificates.map((certificate) => new X509Certificate(certificate).publicKey)
  return signedText(xml, parseXml(xml), { library, keys })
}

interface Verifier {
  library: { SignedXml: typeof SignedXml }
  keys: readonly KeyObject[]
}

/** Verifies the signature in an element with any of the keys, and returns the signed text. */
function signedText(xml: string, element: XmlElement, { library, keys }: Verifier): string {
  const signature = onlyChild(element, 'signature', 'Signature')
  let cause: unknown
  for (const publicCert of keys) {
    const check = Object.assign(new library.SignedXml({ publicCert }), algorithms, { idAttributes: ['ID'] })
    try {
      check.loadSignature(signature)
      const valid = check.checkSignature(xml)
      const [text, ...more] = check.getSignedReferences()
      if (valid && text && more.length === 0) return text
    } catch (error) {
      // A wrong key may also throw; try the next one.
      cause = error
    }
  }
  throw new Refusal('the answer is not signed by this identity provider', { failure: 'signature', cause })
}
