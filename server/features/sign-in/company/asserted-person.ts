import { isPlaceholderSsn } from '#contract/ssn-rules.ts'
import { isInDomainOf } from '#server/oidc/address-proof.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { allSsnIndexes, unsealSsn } from '#server/platform/secrets/ssn.ts'
import type { Claims } from '#server/saml/claims.ts'
import { findPerson, type Person } from '../people.repository.ts'
import { companySignInAllowed } from './company-access.ts'

/**
 * Finds the person whom a company's assertion names, in any account state. Searches only the people of that configuration
 * who sign in with SAML and are not super users. Matches by personal number, otherwise by e-mail unless the account has
 * a different number.
 */
export async function findAssertedPerson(
  db: Db,
  keys: Keys,
  samlConfigId: number,
  { ssn, emails }: Claims,
): Promise<Person | undefined> {
  const people = peopleOf(db, samlConfigId)
  const byNumber = ssn && (await people.where('ssnIndex', 'in', allSsnIndexes(keys, ssn)).executeTakeFirst())
  if (byNumber) return findPerson(db, byNumber.email)
  if (emails.length === 0) return undefined
  const byEmail = await people.select(['accountId', 'ssnSealed']).where('email', 'in', emails).execute()
  const fit = await Promise.all(byEmail.map(async (one) => !ssn || !(await hasNumber(keys, one))))
  const [only, ...more] = byEmail.filter((_, index) => fit[index])
  return only && more.length === 0 ? findPerson(db, only.email) : undefined
}

interface Numbered {
  accountId: string
  ssnSealed: Buffer | null
}
const hasNumber = async (keys: Keys, { accountId, ssnSealed }: Numbered): Promise<boolean> =>
  ssnSealed !== null && !isPlaceholderSsn(await unsealSsn(keys, accountId, ssnSealed))

/** Whether a configuration may sign a person in, and whether one of its domains covers the address. */
export interface SamlAccess {
  person: Person
  allowed: boolean
  inDomain: boolean
  /** The configuration is switched on. */
  active: boolean
}

/** Looks up whether this configuration may sign the person in right now. */
export async function findSamlAccess(db: Db, samlConfigId: number, person: Person): Promise<SamlAccess> {
  const found = await db
    .selectFrom('users as u')
    .innerJoin('samlConfigs as c', 'c.id', 'u.samlConfigId')
    .select([companySignInAllowed.as('allowed'), isInDomainOf('u.email', 'c.id').as('inDomain'), 'c.active'])
    .where('u.accountId', '=', person.accountId)
    .where('c.id', '=', samlConfigId)
    .executeTakeFirst()
  return { person, allowed: false, inDomain: false, active: false, ...found }
}

/** Finds a person whom this configuration has just identified, if it may still sign them in. */
export async function findPersonOfConfig(db: Db, samlConfigId: number, email: string): Promise<SamlAccess | undefined> {
  const person = await findPerson(db, email)
  const access = person && (await findSamlAccess(db, samlConfigId, person))
  return access?.allowed && access.active ? access : undefined
}

const peopleOf = (db: Db, samlConfigId: number) =>
  db
    .selectFrom('users')
    .select('email')
    .where('samlConfigId', '=', samlConfigId)
    .where('loginMethod', '=', 'saml')
    .where('superUser', '=', false)
