import { ensure } from './refusal.ts'
import { getAttribute, type XmlElement } from './xml.ts'

/** Milliseconds that `IssueInstant` may be in the future. */
const maxFutureIssue = 60_000

/** When something is read, and by how many milliseconds the other clock may differ. */
export interface At {
  now: Date
  clockSkew: number
}

/** Rejects a response or an assertion issued in the future. */
export function ensureIssued(node: XmlElement, { now, clockSkew }: At): void {
  const issued = optionalMoment(node, 'IssueInstant')
  ensure(
    !issued || issued.getTime() <= now.getTime() + Math.max(maxFutureIssue, clockSkew),
    `the ${node.localName} is issued later than now`,
    'clock',
  )
}

/** Rejects what is not valid yet, or not any more; without an end it is valid for as long as something else says. */
export function ensureTime(node: XmlElement, { now, clockSkew }: At): void {
  const [from, until] = [optionalMoment(node, 'NotBefore'), optionalMoment(node, 'NotOnOrAfter')]
  ensure(!from || now.getTime() + clockSkew >= from.getTime(), 'the assertion is not valid yet', 'clock')
  ensure(!until || now.getTime() - clockSkew < until.getTime(), 'the assertion is not valid any more', 'clock')
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
