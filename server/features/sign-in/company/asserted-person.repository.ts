import { isPlaceholderSsn } from '#contract/fields/ssn-rules.ts'
import { findPerson, type Person } from '#server/credentials/people.repository.ts'
import { isInDomainOf } from '#server/oidc/address-proof.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { allSsnIndexes, unsealSsn } from '#server/platform/secrets/ssn.ts'
import type { Claims } from '#server/saml/claims.ts'
import { companySignInAllowed } from './company-access.repository.ts'

/**
 * Finds the person whom a company's assertion names, in any account state. Searches only the people of that configuration
 * who sign in with SAML and are not super users: by a proven personal number, then by e-mail, unless the account has a
 * different number. A claimed number finds only where the company may assert numbers, and nobody has one of the addresses:
 * somebody could have entered the number of a colleague.
 */
export async function findAssertedPerson(
  db: Db,
  keys: Keys,
  samlConfigId: number,
  { ssn, emails }: Claims,
): Promise<Person | undefined> {
  const people = peopleOf(db, samlConfigId)
  const indexes = ssn === undefined ? [] : allSsnIndexes(keys, ssn)
  const numbered = indexes.length > 0 ? await people.where('ssnIndex', 'in', indexes).execute() : []
  const proven = numbered.find(({ ssnProof }) => ssnProof !== null)
  if (proven) return findPerson(db, proven.email)
  const addressed = emails.length > 0 ? await people.where('email', 'in', emails).execute() : []
  if (addressed.length === 0 && !(await mayAssertNumbers(db, samlConfigId))) return undefined
  const candidates = addressed.length > 0 ? addressed : numbered
  const fit = await Promise.all(candidates.map(async (one) => !ssn || !(await hasOtherNumber(keys, one, indexes))))
  const [only, ...more] = candidates.filter((_, index) => fit[index])
  return only && more.length === 0 ? findPerson(db, only.email) : undefined
}

interface Numbered {
  accountId: string
  ssnSealed: Buffer | null
  ssnIndex: Buffer | null
}
const hasOtherNumber = async (
  keys: Keys,
  { accountId, ssnSealed, ssnIndex }: Numbered,
  indexes: readonly Buffer[],
): Promise<boolean> =>
  ssnSealed !== null &&
  !indexes.some((index) => ssnIndex?.equals(index)) &&
  !isPlaceholderSsn(await unsealSsn(keys, accountId, ssnSealed))

const mayAssertNumbers = async (db: Db, id: number): Promise<boolean> => {
  const config = await db.selectFrom('samlConfigs').select('assertsNumbers').where('id', '=', id).executeTakeFirst()
  return config?.assertsNumbers ?? false
}

/** Whether a configuration may sign a person in, and whether one of its domains covers the address. */
export interface SamlAccess {
  person: Person
  allowed: boolean
  inDomain: boolean
  /** The configuration is switched on. */
  active: boolean
  /** A super user lets the company prove personal numbers. */
  assertsNumbers: boolean
}

/** Looks up whether this configuration may sign the person in right now. */
export async function findSamlAccess(db: Db, samlConfigId: number, person: Person): Promise<SamlAccess> {
  const found = await db
    .selectFrom('users as u')
    .innerJoin('samlConfigs as c', 'c.id', 'u.samlConfigId')
    .select([
      companySignInAllowed.as('allowed'),
      isInDomainOf('u.email', 'c.id').as('inDomain'),
      'c.active',
      'c.assertsNumbers',
    ])
    .where('u.accountId', '=', person.accountId)
    .where('c.id', '=', samlConfigId)
    .executeTakeFirst()
  return { person, allowed: false, inDomain: false, active: false, assertsNumbers: false, ...found }
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
    .select(['email', 'accountId', 'ssnSealed', 'ssnIndex', 'ssnProof'])
    .where('samlConfigId', '=', samlConfigId)
    .where('loginMethod', '=', 'saml')
    .where('operates', '=', false)
