import { ensure, ensureAll, Refusal } from './refusal.ts'
import { readSubject, type SamlSubject } from './subject.ts'
import { type At, ensureIssued, ensureTime, momentOf, optionalMoment } from './times.ts'
import {
  childElements,
  childElementsNamed,
  getAttribute,
  getText,
  isElement,
  onlyChild,
  optionalChild,
  parseXml,
  selfAndDescendants,
  type XmlElement,
} from './xml.ts'

/** What an assertion must contain to be accepted. */
export interface Expectations extends At {
  /** The identity provider's entity id, if configured. */
  entityId: string | null
  acsUrl: string
  /** Our own entity id. */
  audience: string
  /** The id of our request. */
  requestId: string
  /** Where reauthentication was requested: the earliest accepted time of the sign-in. */
  authenticatedSince: Date | undefined
  /** Authentication context classes of which one must have been used; none: any. */
  authnContexts: readonly string[]
  /** For a test sign-in: gets what was signed, also if it is refused. */
  onSigned?: ((content: SignedContent) => void) | undefined
  /** For a test sign-in: the assertion was encrypted, for us. */
  onDecrypted?: (() => void) | undefined
}

/** Who a signed assertion is about and who issued it. */
export interface SignedContent {
  issuer: string
  nameId: string | undefined
  nameIdFormat: string | undefined
  /** Values by the attributes' names. */
  attributes: ReadonlyMap<string, readonly string[]>
}

/** What a company asserts about a user. */
export interface Assertion extends SignedContent {
  id: string
  /** Expiry, including clock skew. */
  overAt: Date
  /** For single logout; undefined without a name. */
  subject: SamlSubject | undefined
}

/**
 * Reads a signed assertion and checks its audience, times and request.
 *
 * @param xml the signed text
 * @throws Refusal
 */
export async function readAssertion(xml: string, expected: Expectations): Promise<Assertion> {
  const assertion = parseXml(xml)
  ensure(isElement(assertion, 'assertion', 'Assertion'), 'the signed element is not an assertion')
  ensure(getAttribute(assertion, 'Version') === '2.0', 'the assertion is not of SAML 2.0')
  const id = getAttribute(assertion, 'ID')
  ensure(id, 'the assertion has no id')
  const issuer = getText(onlyChild(assertion, 'assertion', 'Issuer'))
  const subject = onlyChild(assertion, 'assertion', 'Subject')
  const conditions = onlyChild(assertion, 'assertion', 'Conditions')
  const nameId = optionalChild(subject, 'assertion', 'NameID')
  const content = {
    issuer,
    nameId: nameId && getText(nameId),
    nameIdFormat: nameId && getAttribute(nameId, 'Format'),
    attributes: attributesOf(assertion),
  }
  expected.onSigned?.(content)
  return ensureAll(
    [
      () => ensureIssued(assertion, expected),
      () =>
        ensure(
          expected.entityId === null || issuer === expected.entityId,
          'the assertion is of another issuer',
          'issuer',
        ),
      () => ensureConfirmation(subject, expected),
      () => ensureTime(conditions, expected),
      () => ensureAudience(conditions, expected),
      () => ensureAuthentication(assertion, expected),
    ],
    () => ({
      ...content,
      id,
      overAt: new Date(endOf(subject, conditions) + expected.clockSkew),
      subject: readSubject(assertion),
    }),
  )
}

/** One valid confirmation is enough (Profiles, 4.1.4.3); otherwise the problem of the first one is reported. */
function ensureConfirmation(subject: XmlElement, expected: Expectations): void {
  const bearers = childElementsNamed(subject, 'assertion', 'SubjectConfirmation').filter(
    (one) => getAttribute(one, 'Method') === 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
  )
  ensure(bearers.length > 0, 'the assertion has no bearer confirmation')
  const problems = bearers.map((bearer) => problemOf(bearer, expected))
  if (problems.every((problem) => problem)) throw problems[0]
}

function problemOf(bearer: XmlElement, { acsUrl, requestId, ...at }: Expectations): Refusal | undefined {
  try {
    const data = onlyChild(bearer, 'assertion', 'SubjectConfirmationData')
    ensure(getAttribute(data, 'Recipient') === acsUrl, 'the assertion is for another recipient', 'destination')
    ensure(getAttribute(data, 'InResponseTo') === requestId, 'the assertion answers another request', 'otherRequest')
    // Here the end is required: it is what an assertion without one in its conditions ends by (Profiles, 4.1.4.2).
    momentOf(data, 'NotOnOrAfter')
    ensureTime(data, at)
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** When the assertion ends: as its conditions say, else with the last of its confirmations. */
function endOf(subject: XmlElement, conditions: XmlElement): number {
  const end = optionalMoment(conditions, 'NotOnOrAfter')
  if (end) return end.getTime()
  const ends = childElementsNamed(subject, 'assertion', 'SubjectConfirmation')
    .flatMap((one) => childElementsNamed(one, 'assertion', 'SubjectConfirmationData'))
    .flatMap((data) => optionalMoment(data, 'NotOnOrAfter') ?? [])
  return Math.max(...ends.map((one) => one.getTime()))
}

function ensureAudience(conditions: XmlElement, { audience }: Expectations): void {
  const parts = childElements(conditions)
  const known = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']
  ensure(
    parts.every((part) => known.some((name) => isElement(part, 'assertion', name))),
    'the assertion has an unknown condition',
  )
  const restrictions = parts.filter((part) => isElement(part, 'assertion', 'AudienceRestriction'))
  ensure(restrictions.length > 0, 'the assertion names no audience', 'audience')
  const isForUs = (restriction: XmlElement) =>
    childElementsNamed(restriction, 'assertion', 'Audience').some((one) => getText(one) === audience)
  ensure(restrictions.every(isForUs), 'the assertion is for another audience', 'audience')
}

function ensureAuthentication(
  assertion: XmlElement,
  { now, clockSkew, authenticatedSince, authnContexts }: Expectations,
): void {
  const statements = childElementsNamed(assertion, 'assertion', 'AuthnStatement')
  ensure(statements.length > 0, 'the assertion has no authentication statement')
  for (const statement of statements) {
    const until = optionalMoment(statement, 'SessionNotOnOrAfter')
    ensure(
      !until || now.getTime() - clockSkew < until.getTime(),
      "the person's session at the company is over",
      'sessionOver',
    )
    if (authenticatedSince)
      ensure(
        momentOf(statement, 'AuthnInstant').getTime() + clockSkew >= authenticatedSince.getTime(),
        'the person was not reauthenticated',
        'notReauthenticated',
      )
    ensure(
      authnContexts.length === 0 || authnContexts.includes(contextOf(statement)),
      'the person authenticated in another way than required',
      'authnContext',
    )
  }
}

const contextOf = (statement: XmlElement): string => {
  const used = optionalChild(onlyChild(statement, 'assertion', 'AuthnContext'), 'assertion', 'AuthnContextClassRef')
  return used ? getText(used).trim() : ''
}

function attributesOf(assertion: XmlElement): Map<string, string[]> {
  const attributes = new Map<string, string[]>()
  for (const attribute of selfAndDescendants(assertion)) {
    if (!isElement(attribute, 'assertion', 'Attribute')) continue
    const name = getAttribute(attribute, 'Name') ?? ''
    // Values that contain elements are ignored.
    const values = childElementsNamed(attribute, 'assertion', 'AttributeValue').filter(
      (one) => childElements(one).length === 0,
    )
    attributes.set(name, [...(attributes.get(name) ?? []), ...values.map(getText)])
  }
  return attributes
}
