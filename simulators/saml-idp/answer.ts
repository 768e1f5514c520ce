import { randomUUID } from 'node:crypto'

/** The request of a service provider, and the time of the response. */
export interface Question {
  /** The ID of the request. */
  requestId: string
  acsUrl: string
  /** The service provider's entity ID. */
  audience: string
  /** The identity provider's entity ID. */
  issuer: string
  now: Date
}

export interface Subject {
  nameId: string
  nameIdFormat?: string
  attributes?: Record<string, string>
}

/** The content of a response; null values are left out. */
export interface Answer {
  responseId: string
  assertionId: string
  issueInstant: Date
  responseIssuer: string | null
  assertionIssuer: string | null
  destination: string | null
  /** InResponseTo of the response. */
  inResponseTo: string | null
  /** The last part of the status code: `Success`, `Responder`. */
  status: string
  nameId: string
  nameIdFormat: string
  /** The last part of the method: `bearer`. */
  confirmationMethod: string
  recipient: string | null
  confirmationInResponseTo: string | null
  confirmationNotBefore: Date | null
  confirmationNotOnOrAfter: Date | null
  /** False leaves the whole element out. */
  conditions: boolean
  notBefore: Date | null
  notOnOrAfter: Date | null
  audiences: string[] | null
  authnInstant: Date
  sessionIndex: string
  attributes: Record<string, string>
}

export const nameIdFormats = {
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
} as const

export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const

/** A valid response to a request, valid for five minutes. */
export function answerTo(question: Question, { nameId, nameIdFormat, attributes = {} }: Subject): Answer {
  const { requestId, acsUrl, audience, issuer, now } = question
  const inFiveMinutes = new Date(now.getTime() + 5 * 60_000)
  return {
    responseId: newXmlId(),
    assertionId: newXmlId(),
    issueInstant: now,
    responseIssuer: issuer,
    assertionIssuer: issuer,
    destination: acsUrl,
    inResponseTo: requestId,
    status: 'Success',
    nameId,
    nameIdFormat: nameIdFormat ?? nameIdFormats.email,
    confirmationMethod: 'bearer',
    recipient: acsUrl,
    confirmationInResponseTo: requestId,
    confirmationNotBefore: null,
    confirmationNotOnOrAfter: inFiveMinutes,
    conditions: true,
    notBefore: now,
    notOnOrAfter: inFiveMinutes,
    audiences: [audience],
    authnInstant: now,
    sessionIndex: newXmlId(),
    attributes,
  }
}

/** A valid XML ID, which must not begin with a digit. */
export const newXmlId = () => `_${randomUUID()}`

/** The unsigned response, with its assertions unless the status is an error. */
export function responseXml(answer: Answer, assertions = assertionXml(answer)): string {
  const { responseId, issueInstant, destination, inResponseTo, responseIssuer, status } = answer
  const attributes = written({
    'xmlns:samlp': namespaces.protocol,
    'xmlns:saml': namespaces.assertion,
    ID: responseId,
    Version: '2.0',
    IssueInstant: issueInstant,
    Destination: destination,
    InResponseTo: inResponseTo,
  })
  const code = written({ Value: `urn:oasis:names:tc:SAML:2.0:status:${status}` })
  return `<samlp:Response${attributes}>${issuerXml(responseIssuer)}<samlp:Status><samlp:StatusCode${code}/></samlp:Status>${assertions}</samlp:Response>`
}

/** The unsigned assertion. It declares its own namespaces, so it can be signed separately. */
export function assertionXml(answer: Answer): string {
  const { assertionId, issueInstant, assertionIssuer, authnInstant, sessionIndex } = answer
  const attributes = written({
    'xmlns:saml': namespaces.assertion,
    ID: assertionId,
    Version: '2.0',
    IssueInstant: issueInstant,
  })
  const statement = written({ AuthnInstant: authnInstant, SessionIndex: sessionIndex })
  const context = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'
  return `<saml:Assertion${attributes}>${issuerXml(assertionIssuer)}${subjectXml(answer)}${conditionsXml(answer)}<saml:AuthnStatement${statement}><saml:AuthnContext><saml:AuthnContextClassRef>${context}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>${attributesXml(answer)}</saml:Assertion>`
}

const issuerXml = (issuer: string | null) => (issuer === null ? '' : `<saml:Issuer>${escapeXml(issuer)}</saml:Issuer>`)

function subjectXml(answer: Answer): string {
  const { nameId, nameIdFormat, confirmationMethod } = answer
  const method = written({ Method: `urn:oasis:names:tc:SAML:2.0:cm:${confirmationMethod}` })
  const data = written({
    Recipient: answer.recipient,
    InResponseTo: answer.confirmationInResponseTo,
    NotBefore: answer.confirmationNotBefore,
    NotOnOrAfter: answer.confirmationNotOnOrAfter,
  })
  return `<saml:Subject><saml:NameID${written({ Format: nameIdFormat })}>${escapeXml(nameId)}</saml:NameID><saml:SubjectConfirmation${method}><saml:SubjectConfirmationData${data}/></saml:SubjectConfirmation></saml:Subject>`
}

function conditionsXml({ conditions, notBefore, notOnOrAfter, audiences }: Answer): string {
  if (!conditions) return ''
  const names = audiences?.map((audience) => `<saml:Audience>${escapeXml(audience)}</saml:Audience>`)
  const restriction = names ? `<saml:AudienceRestriction>${names.join('')}</saml:AudienceRestriction>` : ''
  const times = written({ NotBefore: notBefore, NotOnOrAfter: notOnOrAfter })
  return `<saml:Conditions${times}>${restriction}</saml:Conditions>`
}

function attributesXml({ attributes }: Answer): string {
  const each = Object.entries(attributes).map(
    ([name, value]) =>
      `<saml:Attribute${written({ Name: name })}><saml:AttributeValue>${escapeXml(value)}</saml:AttributeValue></saml:Attribute>`,
  )
  return each.length > 0 ? `<saml:AttributeStatement>${each.join('')}</saml:AttributeStatement>` : ''
}

const written = (attributes: Record<string, string | Date | null>) =>
  Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ` ${name}="${escapeXml(value instanceof Date ? value.toISOString() : String(value))}"`)
    .join('')

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeXml = (text: string) => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign)

/** Encodes a response for the form. */
export const encodeAnswer = (xml: string) => Buffer.from(xml).toString('base64')
