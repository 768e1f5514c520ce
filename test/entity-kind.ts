import type { Client } from './client.ts'
import type { TestApp } from './test-app.ts'
import type { TwoValues } from './two-values.ts'

type Json = Record<string, unknown>
export interface Here {
  portal: TestApp
  /** A super user. */
  root: Client
}
export interface Entity {
  by: Client
  /** The names in the address of the GET and of the call that saves, and in its body. */
  values?: Json
}

/** A kind of thing that forms create and change. Whatever is not said here follows from the declaration of its calls. */
export interface EntityKind {
  /** Who saves one that is there already. Left out: a super user, one that `create` has made. */
  of?: Record<string, (here: Here) => Promise<Entity>>
  /** The call that makes one, and the name of the id in its answer. */
  create?: readonly [call: string, id: string]
  /** Where its fields are read, where the call that saves does not say so. */
  read?: string
  /** Its fields in that answer. */
  // biome-ignore lint/suspicious/noExplicitAny: the answer of any call.
  inAnswer?: (answer: any, values: Json) => any
  /** Values of fields that a schema alone does not give away. */
  values?: (here: Here) => Promise<Record<string, TwoValues>>
  /** Fields that are not sent, with the reason. */
  fixed?: Record<string, string>
  /** What a new one needs too. */
  required?: () => Json
  /** Fields that a new one cannot have beside the others. */
  notAtFirst?: readonly string[]
  /** Fields that are changed after the others, because those depend on them. */
  last?: readonly string[]
  /** What each change sends too, and what the change of one field does. */
  beside?: Json
  alongside?: Record<string, Json>
  /** What the audit event calls a field, where not by its own name. */
  told?: Record<string, string>
  /** Fields whose change is an event of each organisation that it concerns. */
  eachPlace?: readonly string[]
  /** Fields that an event of their own tells, which no organisation reads. */
  apart?: readonly string[]
  /** How the GET answers a field, where not as it was sent; null: not at all. */
  answered?: Record<string, ((value: string) => unknown) | null>
}

/** Somebody with a service in an organisation, and the admin of it. */
export async function member({ portal }: Here) {
  const { organizationId } = await portal.organization()
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId, 5)
  const person = await portal.person({ firstName: 'Ada', phoneNumber: '+46701234567' })
  await portal.join(person.accountId, organizationId)
  await portal.assign(person.accountId, organizationId, serviceId)
  const admin = await portal.person()
  await portal.join(admin.accountId, organizationId, 'organizationAdmin')
  return { person, accountId: person.accountId, organizationId, serviceId, admin: await portal.signedIn(admin) }
}
