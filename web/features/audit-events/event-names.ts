import { type AuditEventName, auditEventNames } from '#contract/audit-event.ts'
import { eventsOfKindSignIns } from '#contract/audit-events/audit-events.ts'
import type { MessageKey } from '#contract/message-key.ts'

const known: ReadonlySet<string> = new Set(auditEventNames)
const isKnown = (name: string): name is AuditEventName => known.has(name)

/** Events that a later version wrote are shown as unknown. */
export const knownName = (name: string): AuditEventName => (isKnown(name) ? name : 'unknown')

/** With a capital letter, as within a key. */
export const capitalized = <Name extends string>(name: Name) =>
  // TypeScript does not know what these two calls make of the text.
  `${name.charAt(0).toUpperCase()}${name.slice(1)}` as Capitalize<Name>

/** The text of an event's name: `eventCreateUser`. An event without one does not compile. */
export const eventTextKey = (name: string): MessageKey => `event${capitalized(knownName(name))}`

/** Events of someone who signs in or out: they say how, from where, and to which client. */
export const isOfSignIn = (name: string): boolean => (eventsOfKindSignIns as readonly string[]).includes(name)
