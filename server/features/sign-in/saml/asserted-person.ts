import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields.ts'
import { isPlaceholderSsn, ssnProblem } from '#contract/ssn-rules.ts'
import type { Db } from '#server/platform/database.ts'
import type { Keys } from '#server/platform/keys.ts'
import { canonicalSsn, openSsn, ssnIndexes } from '#server/platform/ssn.ts'
import { findPerson, type Person } from '../people.repository.ts'
import type { Assertion } from './assertion.ts'
import { demand } from './refusal.ts'

/** Attributes that hold a Swedish personal identity number, in lower case: Sweden Connect, SWAMID, Sambi, and plain names. */
const ssnNames = new Set([
  'urn:oid:1.2.752.29.4.13',
  'urn:oid:1.3.6.1.4.1.2428.90.1.5',
  'http://schemas.sambi.se/attributes/1/personalidentitynumber',
  ...['personalidentitynumber', 'noredupersonnin', 'personalnumber', 'personnummer', 'ssn', 'socialsecuritynumber'],
])
/** Attributes that hold an e-mail address: LDAP, Entra and ADFS, and plain names. */
const emailNames = new Set([
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  ...['mail', 'email', 'emailaddress'],
])
/** What a name identifier may call itself when it is an e-mail address. */
const emailFormats = new Set([
  undefined,
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
])

/** Who somebody is, in our terms. */
export interface Claims {
  /** Canonical. */
  ssn: string | undefined
  /** Canonical; several where somebody has several. */
  emails: string[]
}

/**
 * Reads who it is that a company has signed in.
 *
 * @throws Refusal when there are two personal numbers, or nothing to know somebody by
 */
export function claimsOf({ attributes, nameId, nameIdFormat }: Assertion): Claims {
  const valuesOf = (names: ReadonlySet<string>) =>
    [...attributes].flatMap(([name, values]) => (names.has(name.toLowerCase()) ? values : []))
  const ssns = new Set(
    valuesOf(ssnNames)
      .filter((value) => value !== '')
      .map(canonicalSsn),
  )
  demand(ssns.size <= 1, 'the assertion has two personal numbers')
  const [ssn] = ssns
  demand(ssn === undefined || isProperSsn(ssn), 'the assertion has a personal number that is none')
  const named = valuesOf(emailNames)
  const addresses = named.length > 0 ? named : emailFormats.has(nameIdFormat) && nameId ? [nameId] : []
  const emails = new Set(addresses.flatMap((address) => z.safeParse(emailField, address).data ?? []))
  demand(ssn !== undefined || emails.size > 0, 'the assertion has neither a personal number nor an e-mail address')
  return { ssn, emails: [...emails] }
}

// A placeholder is what an administrator writes for a number that is not known yet: it is nobody's.
const isProperSsn = (ssn: string) => /^[0-9]{12}$/.test(ssn) && ssnProblem(ssn) === undefined

/**
 * The person of a company's assertion, whatever state the account is in: among the people of that configuration alone,
 * who sign in this way and are no super users. By personal number, else by e-mail; not by e-mail where the account has
 * another number.
 */
export async function findAssertedPerson(
  db: Db,
  keys: Keys,
  samlConfigId: number,
  { ssn, emails }: Claims,
): Promise<Person | undefined> {
  const people = peopleOf(db, samlConfigId)
  const byNumber = ssn && (await people.where('ssnIndex', 'in', ssnIndexes(keys, ssn)).executeTakeFirst())
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
  ssnSealed !== null && !isPlaceholderSsn(await openSsn(keys, accountId, ssnSealed))

/** Somebody whom this configuration has signed in a moment ago, if it still may. */
export async function findPersonOf(db: Db, samlConfigId: number, accountId: string): Promise<Person | undefined> {
  const found = await peopleOf(db, samlConfigId).where('accountId', '=', accountId).executeTakeFirst()
  return found && findPerson(db, found.email)
}

const peopleOf = (db: Db, samlConfigId: number) =>
  db
    .selectFrom('users')
    .select('email')
    .where('samlConfigId', '=', samlConfigId)
    .where('loginMethod', '=', 'saml')
    .where('superUser', '=', false)
