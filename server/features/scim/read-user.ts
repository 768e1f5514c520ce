import { email as emailSchema } from '#contract/fields/fields.ts'
import type { JsonObject } from '#server/platform/database/database-types.ts'
import { Problem } from '#server/platform/problem.ts'
import { nameOfPerson } from './protocol/person-name.ts'
import { isObject, type Json } from './protocol/value.ts'
import type { ScimUser } from './scim-users.repository.ts'

/** A person as columns: what is looked for by, and the rest as it was sent. */
export type SentUser = Pick<ScimUser, 'userName' | 'externalId' | 'attributes' | 'mails' | 'active' | 'email'>

const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Of what is kept of a person, in characters: a page of 200 people is read at once, and every other request waits for that. */
const maxAttributes = 32_768

/** @throws Problem 400 without a userName or an address, or for more than is kept of a person */
export function toColumns(read: Json): SentUser {
  const { userName, externalId, active, ...attributes } = read
  if (typeof userName !== 'string' || userName.trim() === '') throw new Problem(400, 'scimInvalidValue')
  const email = addressOf(userName, attributes)
  if (email === undefined) throw new Problem(400, 'scimNoAddress')
  if (JSON.stringify(attributes).length > maxAttributes) throw new Problem(400, 'scimInvalidValue')
  const mails = listOf(attributes.emails).flatMap(({ value }) => asText(value)?.normalize('NFC').toLowerCase() ?? [])
  return {
    userName,
    externalId: asText(externalId) ?? null,
    active: active !== false,
    attributes: attributes as JsonObject,
    mails: [...new Set(mails)],
    email,
  }
}

/** A person as one object, for a PATCH to change. */
export const toResource = ({ userName, externalId, active, attributes }: SentUser): Json => ({
  userName,
  ...(externalId !== null && { externalId }),
  active,
  ...attributes,
})

/** The primary address, else the one for work, else the first; without any, a userName that is one. */
function addressOf(userName: string, { emails }: Json): string | undefined {
  const all = listOf(emails)
  const chosen =
    all.find(({ primary }) => primary === true) ??
    all.find(({ type }) => asText(type)?.toLowerCase() === 'work') ??
    all[0]
  const written = asText(chosen?.value) ?? userName
  const address = emailSchema.safeParse(written)
  return address.success ? address.data : undefined
}

/** What the account can take of it. */
export function personOf({ attributes }: Pick<SentUser, 'attributes'>) {
  const phones = listOf(attributes.phoneNumbers)
  const mobile = phones.find(({ type }) => asText(type)?.toLowerCase() === 'mobile')
  const primary = phones.find((one) => one.primary === true)
  return {
    ...nameOfPerson(attributes),
    phoneNumber: asText((mobile ?? primary)?.value),
    language: asText(attributes.preferredLanguage) ?? asText(attributes.locale),
  }
}
