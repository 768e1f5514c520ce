import { optionalPhoneNumber } from '#contract/fields/fields.ts'
import { requiredName } from '#contract/fields/names.ts'
import type { Note } from './protocol/value.ts'
import { personOf, type SentUser } from './read-user.ts'

const name = requiredName(100)

/** Names and phone number in the forms that accounts have. What is in no such form is left out, and noted. */
export function accountFields(user: Pick<SentUser, 'attributes'>, notes: Note[]) {
  const { firstName, lastName, phoneNumber } = personOf(user)
  const asName = (attribute: string, written: string | undefined) => {
    if (written === undefined) return null
    const read = name.safeParse(written)
    if (!read.success) note(notes, { attribute, reason: 'invalidName' })
    return read.success ? read.data : null
  }
  const phone = optionalPhoneNumber.safeParse(phoneNumber ?? null)
  if (!phone.success) note(notes, { attribute: 'phoneNumbers', reason: 'invalidPhone' })
  return {
    firstName: asName('name.givenName', firstName),
    lastName: asName('name.familyName', lastName),
    phoneNumber: phone.success ? phone.data : null,
  }
}

function note(notes: Note[], one: Note): void {
  if (!notes.some(({ attribute, reason }) => attribute === one.attribute && reason === one.reason)) notes.push(one)
}
