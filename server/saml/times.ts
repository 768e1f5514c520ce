import { ensure } from './refusal.ts'
import { getAttribute, type XmlElement } from './xml.ts'

/** Accepted clock skew in milliseconds. */
export const clockSkew = 30_000
/** Milliseconds that `IssueInstant` may be in the future. */
const maxFutureIssue = 60_000

/** Rejects a response or an assertion issued in the future. */
export function ensureIssued(node: XmlElement, now: Date): void {
  const issued = optionalMoment(node, 'IssueInstant')
  ensure(
    !issued || issued.getTime() <= now.getTime() + maxFutureIssue,
    `the ${node.localName} is issued later than now`,
    'clock',
  )
}

/** Rejects what is not valid yet, or not any more. */
export function ensureTime(node: XmlElement, now: Date): void {
  const [from, until] = [optionalMoment(node, 'NotBefore'), momentOf(node, 'NotOnOrAfter')]
  ensure(!from || now.getTime() + clockSkew >= from.getTime(), 'the assertion is not valid yet', 'clock')
  ensure(now.getTime() - clockSkew < until.getTime(), 'the assertion is not valid any more', 'clock')
}

// In UTC without an offset: SAML Core, 1.3.3.
const moment = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$/

/** @throws Refusal for what is not a time in UTC */
export function optionalMoment(node: XmlElement, name: string): Date | undefined {
  const text = getAttribute(node, name)
  if (text === undefined) return undefined
  const date = new Date(text)
  ensure(moment.test(text) && !Number.isNaN(date.getTime()), `${name} is not a valid time`)
  return date
}

/** @throws Refusal when it is missing or not a time in UTC */
export function momentOf(node: XmlElement, name: string): Date {
  const date = optionalMoment(node, name)
  ensure(date, `${node.localName} has no ${name}`)
  return date
}
