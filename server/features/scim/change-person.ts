import { fallbackLanguage } from '#contract/languages.ts'
import { lockUser, type StoredUser } from '#server/accounts/stored-user.repository.ts'
import { eventsOfChange } from '#server/accounts/user-audit.ts'
import { notMeLink } from '#server/credentials/not-me/not-me-link.ts'
import { mailMessage } from '#server/mails/mails.ts'
import { found } from '#server/platform/problem.ts'
import { accountFields } from './account-fields.ts'
import type { Work } from './admit-person.ts'
import { isAddressFree, writePerson } from './change-person.repository.ts'
import { findPlace } from './place.repository.ts'
import { reachOf } from './reach.ts'
import type { SentUser } from './read-user.ts'
import type { ScimUser } from './scim-users.repository.ts'
import { refuseAboveToken } from './token-power.ts'

/**
 * Takes over to the account what the directory changed of names, phone number and address, where an admin of this organisation
 * could: the person belongs to it alone. What the directory leaves out stays as it is.
 */
export async function changePerson(work: Work, before: SentUser, user: ScimUser): Promise<void> {
  const { db, audit, system, notes, deeds } = work
  const person = user.accountId === null ? undefined : await lockUser(db, user.accountId)
  const reach = person ? reachOf(person, user.organizationId) : 'none'
  if (!person || reach === 'none') return
  const was = accountFields(before, [])
  const is = accountFields(user, notes)
  const changed = (['firstName', 'lastName', 'phoneNumber'] as const).filter(
    (field) => is[field] !== null && is[field] !== was[field] && is[field] !== person[field],
  )
  const movesTo = user.email !== before.email && user.email !== person.email ? user.email : undefined
  if (reach !== 'all') {
    if (changed.length > 0) notes.push({ attribute: changed.join(', '), reason: 'notEditable' })
    if (movesTo) notes.push({ attribute: 'emails', reason: 'addressKept' })
    return
  }
  const email = movesTo && (await mayMove(work, user, person, movesTo)) ? movesTo : undefined
  if (movesTo && !email) notes.push({ attribute: 'emails', reason: 'addressKept' })
  if (changed.length === 0 && !email) return
  await refuseAboveToken(work, { organizationId: user.organizationId, accountIds: [person.accountId] })
  const values = Object.fromEntries(changed.map((field) => [field, is[field]]))
  await writePerson(db, person.accountId, { ...values, ...(email && { email }) }, work.now)
  const after = found(await lockUser(db, person.accountId))
  for (const event of await eventsOfChange(system.keys, person, after, {})) audit(event)
  const told = [
    ...(email ? ['email' as const] : []),
    ...(changed.includes('phoneNumber') ? ['phoneNumber' as const] : []),
  ]
  if (told.length > 0) await tell(work, person, email, told)
  deeds.push(email ? 'moved' : 'updated')
}

/** Old and new address are in domains that are proven for this organisation, and the new one is nobody's. */
async function mayMove(
  { db, now }: Work,
  { organizationId }: ScimUser,
  person: StoredUser,
  to: string,
): Promise<boolean> {
  const [old, next] = [
    await findPlace(db, { organizationId, email: person.email }, now),
    await findPlace(db, { organizationId, email: to }, now),
  ]
  const isCovered = old?.samlConfigId != null && next?.samlConfigId != null
  return isCovered && !next.account && (await isAddressFree(db, to))
}

/** Both addresses get a mail: a change could be used to take the account over. */
async function tell(
  { db, system, now }: Work,
  { accountId, email, firstName, preferredLanguage, pending }: StoredUser,
  moved: string | undefined,
  changed: readonly ('email' | 'phoneNumber')[],
): Promise<void> {
  if (pending && !moved) return
  const link = await notMeLink({ ...system, now }, db, accountId)
  for (const address of [email, ...(moved ? [moved] : [])])
    await system.outbox.mail(
      db,
      mailMessage({
        template: 'contact-changed',
        to: { address, accountId },
        language: preferredLanguage ?? fallbackLanguage,
        values: { firstName, changed, byAdmin: true, at: now.toISOString(), link },
      }),
    )
}
