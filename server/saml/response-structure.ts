import { ensureIssued } from './assertion.ts'
import { ensure, Refusal } from './refusal.ts'
import { checkSignatureForm } from './signature-form.ts'
import {
  childElements,
  getAttribute,
  getText,
  isElement,
  onlyChild,
  optionalChild,
  parseXml,
  selfAndDescendants,
  type XmlElement,
} from './xml.ts'

/** The parts of a response outside its assertion. They may be unsigned, so they can only cause a rejection. */
export interface ResponseStructure {
  destination: string | undefined
  inResponseTo: string | undefined
  issuer: string | undefined
  responseSigned: boolean
  assertionSigned: boolean
}

/**
 * Checks the structure of a response before any signature: one response, one assertion directly in it, and no signature,
 * id or assertion anywhere else. This rejects signature wrapping.
 *
 * @throws Refusal
 */
export function checkStructure(xml: string, now: Date): ResponseStructure {
  const response = parseXml(xml)
  ensure(isElement(response, 'protocol', 'Response'), 'the answer is not a SAML response')
  ensure(getAttribute(response, 'Version') === '2.0', 'the answer is not of SAML 2.0')
  ensureIssued(response, now)
  ensureSuccess(response)
  const elements = selfAndDescendants(response)
  ensure(!elements.some(({ localName }) => localName.startsWith('Encrypted')), 'the answer is encrypted', 'encrypted')
  const assertion = onlyChild(response, 'assertion', 'Assertion')
  ensureSingle(elements, 'Assertion')
  ensureSingle(elements, 'Response')
  ensureUniqueIds(elements)
  ensureKnownParts(response)
  onlyChild(assertion, 'assertion', 'Conditions')
  const [responseSigned, assertionSigned] = [response, assertion].map((signed) => isSigned(signed))
  const signatures = elements.filter(({ localName }) => localName === 'Signature').length
  ensure(signatures === Number(responseSigned) + Number(assertionSigned), 'the answer has a signature out of place')
  const issuer = optionalChild(response, 'assertion', 'Issuer')
  return {
    destination: getAttribute(response, 'Destination'),
    inResponseTo: getAttribute(response, 'InResponseTo'),
    issuer: issuer && getText(issuer),
    responseSigned: responseSigned === true,
    assertionSigned: assertionSigned === true,
  }
}

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'

function ensureSuccess(response: XmlElement): void {
  const code = onlyChild(onlyChild(response, 'protocol', 'Status'), 'protocol', 'StatusCode')
  if (getAttribute(code, 'Value') !== success)
    throw new Refusal('the identity provider did not sign the person in', { key: 'samlDeclined', failure: 'declined' })
}

function ensureSingle(elements: readonly XmlElement[], name: string): void {
  const found = elements.filter(({ localName }) => localName === name)
  ensure(found.length === 1, `the answer has more than one ${name}`)
}

/** Compares attributes with any name that some library treats as an id. */
function ensureUniqueIds(elements: readonly XmlElement[]): void {
  const ids = elements.flatMap(({ attributes }) =>
    Array.from({ length: attributes.length }, (_, index) => attributes.item(index)).flatMap((attribute) =>
      attribute && /^(assertion|response)?id$/i.test(attribute.localName ?? attribute.name) ? [attribute.value] : [],
    ),
  )
  ensure(new Set(ids).size === ids.length, 'the answer has an id twice')
}

function ensureKnownParts(response: XmlElement): void {
  const known = childElements(response).every(
    (part) =>
      isElement(part, 'assertion', 'Issuer') ||
      isElement(part, 'assertion', 'Assertion') ||
      isElement(part, 'signature', 'Signature') ||
      isElement(part, 'protocol', 'Status') ||
      isElement(part, 'protocol', 'Extensions'),
  )
  ensure(known, 'the answer has an unknown part')
}

function isSigned(signed: XmlElement): boolean {
  const signature = optionalChild(signed, 'signature', 'Signature')
  if (signature) checkSignatureForm(signature, getAttribute(signed, 'ID'))
  return signature !== undefined
}
