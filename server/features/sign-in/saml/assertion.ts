import { demand, Refusal } from './refusal.ts'
import {
  allWithin,
  attributeOf,
  childrenNamed,
  childrenOf,
  is,
  onlyChild,
  optionalChild,
  parseXml,
  textOf,
  type XmlElement,
} from './xml.ts'

/** What an assertion must be about to count for us. */
export interface Expected {
  /** The identity provider's entity id, where it is known. */
  entityId: string | null
  acsUrl: string
  /** Our own entity id. */
  audience: string
  /** Of the request that it answers. */
  requestId: string
  now: Date
  /** The person had to prove anew who it is: not before this. */
  authenticatedSince: Date | undefined
}

/** Who somebody is, as a company says it. */
export interface Assertion {
  id: string
  issuer: string
  nameId: string | undefined
  nameIdFormat: string | undefined
  /** Values by the attributes' names. */
  attributes: ReadonlyMap<string, readonly string[]>
  /** From then on it is good for nothing, also with clocks that differ. */
  overAt: Date
}

/** Milliseconds by which clocks may differ. */
const skew = 30_000

/**
 * Reads a signed assertion and checks that it is meant for us, now, and for this request.
 *
 * @param xml as it was signed
 * @throws Refusal
 */
export function readAssertion(xml: string, expected: Expected): Assertion {
  const assertion = parseXml(xml)
  demand(is(assertion, 'assertion', 'Assertion'), 'what is signed is no assertion')
  demand(attributeOf(assertion, 'Version') === '2.0', 'the assertion is not of SAML 2.0')
  const id = attributeOf(assertion, 'ID')
  demand(id, 'the assertion has no id')
  const issuer = textOf(onlyChild(assertion, 'assertion', 'Issuer'))
  demand(expected.entityId === null || issuer === expected.entityId, 'the assertion is of another issuer')
  const subject = onlyChild(assertion, 'assertion', 'Subject')
  demandConfirmation(subject, expected)
  const conditions = onlyChild(assertion, 'assertion', 'Conditions')
  demandConditions(conditions, expected)
  demandAuthentication(assertion, expected)
  const nameId = optionalChild(subject, 'assertion', 'NameID')
  return {
    id,
    issuer,
    nameId: nameId && textOf(nameId),
    nameIdFormat: nameId && attributeOf(nameId, 'Format'),
    attributes: attributesOf(assertion),
    overAt: new Date(momentOf(conditions, 'NotOnOrAfter').getTime() + skew),
  }
}

/** One confirmation is enough (Profiles, 4.1.4.3); what the first one lacks is what is told. */
function demandConfirmation(subject: XmlElement, expected: Expected): void {
  const bearers = childrenNamed(subject, 'assertion', 'SubjectConfirmation').filter(
    (one) => attributeOf(one, 'Method') === 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
  )
  demand(bearers.length > 0, 'the assertion is not for whoever bears it')
  const problems = bearers.map((bearer) => problemOf(bearer, expected))
  if (problems.every((problem) => problem)) throw problems[0]
}

function problemOf(bearer: XmlElement, { acsUrl, requestId, now }: Expected): Refusal | undefined {
  try {
    const data = onlyChild(bearer, 'assertion', 'SubjectConfirmationData')
    demand(attributeOf(data, 'Recipient') === acsUrl, 'the assertion is for another recipient')
    demand(attributeOf(data, 'InResponseTo') === requestId, 'the assertion answers another request')
    demandTime(data, now)
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function demandConditions(conditions: XmlElement, { audience, now }: Expected): void {
  demandTime(conditions, now)
  const parts = childrenOf(conditions)
  const known = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']
  demand(
    parts.every((part) => known.some((name) => is(part, 'assertion', name))),
    'the assertion has a condition that is not known',
  )
  const restrictions = parts.filter((part) => is(part, 'assertion', 'AudienceRestriction'))
  demand(restrictions.length > 0, 'the assertion names no audience')
  const isForUs = (restriction: XmlElement) =>
    childrenNamed(restriction, 'assertion', 'Audience').some((one) => textOf(one) === audience)
  demand(restrictions.every(isForUs), 'the assertion is for another audience')
}

function demandAuthentication(assertion: XmlElement, { now, authenticatedSince }: Expected): void {
  const statements = childrenNamed(assertion, 'assertion', 'AuthnStatement')
  demand(statements.length > 0, 'the assertion tells of no sign-in')
  for (const statement of statements) {
    const until = optionalMoment(statement, 'SessionNotOnOrAfter')
    demand(!until || now.getTime() - skew < until.getTime(), "the person's session at the company is over")
    if (authenticatedSince)
      demand(
        momentOf(statement, 'AuthnInstant').getTime() + skew >= authenticatedSince.getTime(),
        'the person did not sign in anew',
      )
  }
}

function demandTime(node: XmlElement, now: Date): void {
  const [from, until] = [optionalMoment(node, 'NotBefore'), momentOf(node, 'NotOnOrAfter')]
  demand(!from || now.getTime() + skew >= from.getTime(), 'the assertion is not valid yet')
  demand(now.getTime() - skew < until.getTime(), 'the assertion is not valid any more')
}

// In UTC without an offset: SAML Core, 1.3.3.
const moment = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$/

function optionalMoment(node: XmlElement, name: string): Date | undefined {
  const text = attributeOf(node, name)
  if (text === undefined) return undefined
  const date = new Date(text)
  demand(moment.test(text) && !Number.isNaN(date.getTime()), `${name} is no time`)
  return date
}

function momentOf(node: XmlElement, name: string): Date {
  const date = optionalMoment(node, name)
  demand(date, `${node.localName} has no ${name}`)
  return date
}

function attributesOf(assertion: XmlElement): Map<string, string[]> {
  const attributes = new Map<string, string[]>()
  for (const attribute of allWithin(assertion)) {
    if (!is(attribute, 'assertion', 'Attribute')) continue
    const name = attributeOf(attribute, 'Name') ?? ''
    // A value with elements in it is nothing that we look for.
    const values = childrenNamed(attribute, 'assertion', 'AttributeValue').filter((one) => childrenOf(one).length === 0)
    attributes.set(name, [...(attributes.get(name) ?? []), ...values.map(textOf)])
  }
  return attributes
}
