import { demand, Refusal } from './refusal.ts'
import { checkSignatureForm } from './signature-form.ts'
import {
  allWithin,
  attributeOf,
  childrenOf,
  is,
  onlyChild,
  optionalChild,
  parseXml,
  textOf,
  type XmlElement,
} from './xml.ts'

/** What an answer says outside its assertion. None of it is proven: it may refuse an answer, never make it count. */
export interface AnswerOutline {
  destination: string | undefined
  inResponseTo: string | undefined
  issuer: string | undefined
  responseSigned: boolean
  assertionSigned: boolean
}

/**
 * Looks at the form of an answer before anything in it is verified: one response, one assertion directly in it, and no
 * signature, id or assertion anywhere else. What wraps a signed part in an unsigned one does not have this form.
 *
 * @throws Refusal
 */
export function outlineOf(xml: string): AnswerOutline {
  const response = parseXml(xml)
  demand(is(response, 'protocol', 'Response'), 'the answer is no response')
  demand(attributeOf(response, 'Version') === '2.0', 'the answer is not of SAML 2.0')
  demandSuccess(response)
  const everything = allWithin(response)
  demand(!everything.some(({ localName }) => localName.startsWith('Encrypted')), 'the answer is encrypted')
  const assertion = onlyChild(response, 'assertion', 'Assertion')
  demandSingle(everything, 'Assertion')
  demandSingle(everything, 'Response')
  demandDifferentIds(everything)
  demandKnownParts(response)
  onlyChild(assertion, 'assertion', 'Conditions')
  const [responseSigned, assertionSigned] = [response, assertion].map((signed) => isSigned(signed))
  const signatures = everything.filter(({ localName }) => localName === 'Signature').length
  demand(signatures === Number(responseSigned) + Number(assertionSigned), 'the answer has a signature out of place')
  const issuer = optionalChild(response, 'assertion', 'Issuer')
  return {
    destination: attributeOf(response, 'Destination'),
    inResponseTo: attributeOf(response, 'InResponseTo'),
    issuer: issuer && textOf(issuer),
    responseSigned: responseSigned === true,
    assertionSigned: assertionSigned === true,
  }
}

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'

function demandSuccess(response: XmlElement): void {
  const code = onlyChild(onlyChild(response, 'protocol', 'Status'), 'protocol', 'StatusCode')
  if (attributeOf(code, 'Value') !== success)
    throw new Refusal('the identity provider did not sign the person in', { key: 'samlDeclined' })
}

function demandSingle(everything: readonly XmlElement[], name: string): void {
  const found = everything.filter(({ localName }) => localName === name)
  demand(found.length === 1, `the answer has more than one ${name}`)
}

/** By any name that some library takes for an id. */
function demandDifferentIds(everything: readonly XmlElement[]): void {
  const ids = everything.flatMap(({ attributes }) =>
    Array.from({ length: attributes.length }, (_, index) => attributes.item(index)).flatMap((attribute) =>
      attribute && /^(assertion|response)?id$/i.test(attribute.localName ?? attribute.name) ? [attribute.value] : [],
    ),
  )
  demand(new Set(ids).size === ids.length, 'the answer has an id twice')
}

function demandKnownParts(response: XmlElement): void {
  const known = childrenOf(response).every(
    (part) =>
      is(part, 'assertion', 'Issuer') ||
      is(part, 'assertion', 'Assertion') ||
      is(part, 'signature', 'Signature') ||
      is(part, 'protocol', 'Status') ||
      is(part, 'protocol', 'Extensions'),
  )
  demand(known, 'the answer has a part that is not known')
}

function isSigned(signed: XmlElement): boolean {
  const signature = optionalChild(signed, 'signature', 'Signature')
  if (signature) checkSignatureForm(signature, attributeOf(signed, 'ID'))
  return signature !== undefined
}
