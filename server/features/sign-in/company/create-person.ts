import { giveServices } from '#server/accounts/first-services.repository.ts'
import { freeAddress } from '#server/features/invitations/invitations.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import { newId } from '#server/platform/ids.ts'
import { Problem } from '#server/platform/problem.ts'
import { ssnColumns } from '#server/platform/secrets/ssn.ts'
import type { Claims } from '#server/saml/claims.ts'
import { findPlace, insertPerson } from './create-person.repository.ts'
import { PersonRefusal } from './person-refusal.ts'

type Context = Pick<RequestContext, 'db' | 'keys' | 'now' | 'http' | 'limits' | 'transact'>

/**
 * Creates the account of an unknown person whom a verified answer names, as a regular member of the organisation that
 * wants that, with its services as long as they have free seats. The address must be in a domain of the configuration. A
 * personal number is stored only where the company may assert numbers; completing the sign-in proves it. An account that another
 * organisation has opened at the address, and that nobody has proven, makes way.
 *
 * @returns whether the account was created; not where no organisation wants that, or the address has one
 * @throws PersonRefusal beyond the limit, or while an invitation waits
 */
export async function createPerson(
  { db, keys, now, http, limits, transact }: Context,
  samlConfigId: number,
  { ssn: asserted, emails, firstName, lastName }: Claims,
): Promise<boolean> {
  const place = await findPlace(db, samlConfigId, emails, now)
  // The address may be that of someone who signs in in another way.
  if (!place || place.hasAccount) return false
  const { email, organizationId, organizationName, isInvited } = place
  const refuse = (reason: string, failure: 'unknownPerson' | 'tooManyCreated') =>
    new PersonRefusal(reason, failure, { person: undefined, email }, 'samlRefused')
  // The invitation says what role and services the person gets.
  if (isInvited) throw refuse('an invitation waits for this person', 'unknownPerson')
  await limits.take(db, [{ name: 'createdAtSignIn', key: String(samlConfigId) }], now).catch((error) => {
    throw error instanceof Problem ? refuse('too many people were created within an hour', 'tooManyCreated') : error
  })
  const accountId = newId()
  const ssn = (place.assertsNumbers && asserted) || null
  const person = { email, firstName, lastName, preferredLanguage: detectLanguage(http.request) }
  return transact(async (trx, audit) => {
    const account = { accountId, ...person, ...ssnColumns(keys, { accountId, ssn }), samlConfigId }
    await freeAddress({ db: trx, keys, audit }, { email, organizationId, successorId: accountId, now })
    // Another answer of the same time has created it.
    if (!(await insertPerson(trx, { ...account, openedFor: organizationId }))) return false
    const services = await giveServices(trx, { accountId, organizationId })
    const who = { id: accountId, label: email, organizationIds: [organizationId] }
    audit({
      name: 'createUser',
      actor: who,
      target: who,
      organizationIds: [organizationId],
      after: { ...person, ssn, loginMethod: 'saml', samlConfigId, organizations: organizationName, ...services },
    })
    return true
  })
}
