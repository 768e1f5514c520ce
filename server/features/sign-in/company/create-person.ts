import { sql } from 'kysely'
import { isInDomainOf } from '#server/oidc/address-proof.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import { newId } from '#server/platform/ids.ts'
import { Problem } from '#server/platform/problem.ts'
import { ssnColumns } from '#server/platform/secrets/ssn.ts'
import type { Claims } from '#server/saml/claims.ts'
import { PersonRefusal } from './person-refusal.ts'

type Context = Pick<RequestContext, 'db' | 'keys' | 'now' | 'http' | 'limits' | 'transact'>

/**
 * Creates the account of an unknown person whom a verified answer names, as a regular member of the organisation that
 * wants that, with its services as long as they have free seats. The address must be in a domain of the configuration. A
 * personal number is stored only where the company may assert numbers; completing the sign-in proves it.
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
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('users')
      .values({
        accountId,
        ...person,
        ...ssnColumns(keys, { accountId, ssn }),
        loginMethod: 'saml',
        samlConfigId,
        pending: true,
        openedFor: organizationId,
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .executeTakeFirst()
    // Another answer of the same time has created it.
    if (!numInsertedOrUpdatedRows) return false
    await trx
      .insertInto('memberships')
      .values({ accountId, organizationId, userRole: 'regular', entry: 'opened' })
      .execute()
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

interface Place {
  email: string
  organizationId: string
  organizationName: string
  isInvited: boolean
  hasAccount: boolean
  assertsNumbers: boolean
}

/** The organisation that wants new people of this configuration, and the first of the addresses in a domain of theirs. */
async function findPlace(
  db: Db,
  samlConfigId: number,
  emails: readonly string[],
  now: Date,
): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select e.email, o.organization_id as "organizationId", o.name as "organizationName",
      exists (select from invitations i where i.email = e.email and i.organization_id = o.organization_id
        and i.expires_at > ${now}) as "isInvited",
      exists (select from users u where u.email = e.email) as "hasAccount",
      c.asserts_numbers as "assertsNumbers"
    from unnest(${emails}::text[]) with ordinality as e (email, place)
      join saml_configs c on c.id = ${samlConfigId} and c.active
      join organizations o on o.saml_config_id = c.id and o.login_method = 'saml' and o.create_at_sign_in
    where ${isInDomainOf('e.email', 'c.id')}
    order by e.place limit 1`.execute(db)
  return rows[0]
}

/** Takes a seat in each service for new people that has one left. @returns the values of the audit event */
async function giveServices(db: Db, member: { accountId: string; organizationId: string }) {
  // Lock the rows that count the seats, always in the same order, so that no seat is taken concurrently.
  const wanted = await db
    .selectFrom('organizationServices as o')
    .innerJoin('services as s', 's.serviceId', 'o.serviceId')
    .select(['o.serviceId', 's.name'])
    .select(sql<boolean>`o.max_number_of_users is null or o.seats_used < o.max_number_of_users`.as('isFree'))
    .where('o.organizationId', '=', member.organizationId)
    .where('o.atFirstSignIn', '=', true)
    .orderBy('o.serviceId')
    .forNoKeyUpdate('o')
    .execute()
  const seats = wanted.filter(({ isFree }) => isFree)
  if (seats.length > 0)
    await db
      .insertInto('serviceAssignments')
      .values(seats.map(({ serviceId }) => ({ ...member, serviceId, userRole: 'regular' as const })))
      .execute()
  const names = (isFree: boolean) => wanted.filter((one) => one.isFree === isFree).map(({ name }) => name)
  return { services: names(true).join(', '), servicesWithoutSeat: names(false).join(', ') }
}
