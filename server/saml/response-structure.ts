import { ensure } from './refusal.ts'
import { checkSignatureForm } from './signature-form.ts'
import { ensureSuccess } from './status.ts'
import { type At, ensureIssued } from './times.ts'
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
  /** Of an encrypted assertion this is known once it is decrypted. */
  assertionSigned: boolean
  encrypted: boolean
}

/**
 * Checks the structure of a response before any signature: one response, one assertion directly in it, and no signature,
 * id or assertion anywhere else. This rejects signature wrapping.
 *
 * @throws Refusal
 */
export function checkStructure(xml: string, at: At): ResponseStructure {
  const response = parseXml(xml)
  ensure(isElement(response, 'protocol', 'Response'), 'the answer is not a SAML response')
  ensure(getAttribute(response, 'Version') === '2.0', 'the answer is not of SAML 2.0')
  ensureIssued(response, at)
  ensureSuccess(response)
  const elements = selfAndDescendants(response)
  const encrypted = optionalChild(response, 'assertion', 'EncryptedAssertion')
  ensureEncryptedOnly(elements, encrypted)
  const assertion = encrypted ? undefined : onlyChild(response, 'assertion', 'Assertion')
  ensureSingle(elements, 'Assertion', assertion)
  ensureSingle(elements, 'Response', response)
  ensureUniqueIds(elements)
  ensureKnownParts(response)
  if (assertion) onlyChild(assertion, 'assertion', 'Conditions')
  const responseSigned = isSigned(response)
  const assertionSigned = assertion !== undefined && isSigned(assertion)
  ensureSignatures(elements, Number(responseSigned) + Number(assertionSigned))
  const issuer = optionalChild(response, 'assertion', 'Issuer')
  return {
    destination: getAttribute(response, 'Destination'),
    inResponseTo: getAttribute(response, 'InResponseTo'),
    issuer: issuer && getText(issuer),
    responseSigned,
    assertionSigned,
    encrypted: encrypted !== undefined,
  }
}

/**
 * Checks the structure of a decrypted assertion before its signature, as that of one in the clear.
 *
 * @returns whether it is signed
 * @throws Refusal
 */
export function checkDecrypted(xml: string): boolean {
  const assertion = parseXml(xml)
  ensure(isElement(assertion, 'assertion', 'Assertion'), 'what is encrypted is not an assertion')
  const elements = selfAndDescendants(assertion)
  ensureEncryptedOnly(elements, undefined)
  ensureSingle(elements, 'Assertion', assertion)
  ensureSingle(elements, 'Response', undefined)
  ensureUniqueIds(elements)
  onlyChild(assertion, 'assertion', 'Conditions')
  const signed = isSigned(assertion)
  ensureSignatures(elements, Number(signed))
  return signed
}

/** Nothing but the assertion may be encrypted, and nothing outside it. */
function ensureEncryptedOnly(elements: readonly XmlElement[], encrypted: XmlElement | undefined): void {
  const inside = new Set(encrypted && selfAndDescendants(encrypted))
  ensure(
    elements.every((one) => inside.has(one) || !one.localName.startsWith('Encrypted')),
    'the answer has an encrypted part that is not its assertion',
    'encrypted',
  )
}

function ensureSignatures(elements: readonly XmlElement[], expected: number): void {
  const signatures = elements.filter(({ localName }) => localName === 'Signature').length
  ensure(signatures === expected, 'the answer has a signature out of place')
}

function ensureSingle(elements: readonly XmlElement[], name: string, only: XmlElement | undefined): void {
  const others = elements.some((one) => one.localName === name && one !== only)
  ensure(!others, `the answer has more than one ${name}`)
}

/** Compares attributes with any name that some library treats as an id. */
export function ensureUniqueIds(elements: readonly XmlElement[]): void {
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
      isElement(part, 'assertion', 'EncryptedAssertion') ||
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
