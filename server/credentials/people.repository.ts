import { sql } from 'kysely'
import type { Language, LoginMethod } from '#contract/roles.ts'
import type { SecondFactorKind } from '#contract/second-factors.ts'
import { isAddressProven } from '#server/oidc/address-proof.ts'
import { awaitsFirstSignIn } from '#server/oidc/first-sign-in.ts'
import { type OpenInteraction, selectOpenInteraction } from '#server/oidc/interactions.ts'
import { currentMemberships } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import { phoneForCodes } from './factors/phone-for-codes.repository.ts'

/** How an account of `users` signs in: a person with the method `local` may have chosen a second factor on top of it. */
const signInMethodOf = sql<LoginMethod>`
  case when login_method = 'local' and (usual_factor is not null or must_enrol) then 'local2FA' else login_method end`

/** What a sign-in needs to know about a person. */
export interface Person {
  accountId: string
  email: string
  /** `local2FA` also for somebody with the method `local` who has chosen a second factor. */
  loginMethod: LoginMethod
  /** With the method `local`: asked for a second factor by the person's own choice. */
  choseTwoSteps: boolean
  /** The second factor that the person has chosen to be asked for first. */
  usualFactor: SecondFactorKind | null
  passwordHash: string | null
  /** Neither pending nor passive, and not locked by the owner. */
  active: boolean
  passive: boolean
  /** Pending, with an accepted invitation: the first successful sign-in activates the account. */
  awaited: boolean
  /** The person has proven to read the mail of the address. */
  addressProven: boolean
  /** Has signed in before. */
  hasBeenHere: boolean
  /** Raised to invalidate all earlier proofs, sessions and tokens. */
  authEpoch: number
  firstName: string | null
  /** Where codes can be sent; null also for a number that is no second factor. */
  phoneNumber: string | null
  /** There is one, which is no second factor before its owner has confirmed it. */
  phoneUnconfirmed: boolean
  /** The personal number is the word of an admin, or of a session after a password alone. */
  ssnIsClaim: boolean
  /** A code by mail may prove nothing: the mailbox has proven the password, or mail is refused. */
  mailInDoubt: boolean
  /** Browsers that became known before are new again; milliseconds since the epoch. */
  browsersKnownFrom: number | null
  preferredLanguage: Language | null
  organizationIds: string[]
}

/** The person with this address, in its canonical form. */
export const findPerson = async (db: Db, email: string): Promise<Person | undefined> =>
  (await executePrepared(db, personBy(email))).rows[0]

/** The person, and the payload of the sign-in that is open for this browser. */
export interface PersonIn {
  person: Person
  interaction: OpenInteraction['payload'] | null
}

/** Selects the person with this address, in its canonical form, and the sign-in that the attempt names. */
export const selectPersonIn = (email: string, { uid, now }: { uid: string | undefined; now: Date }) =>
  sql<PersonIn>`
    select to_jsonb(person) as person, ${uid === undefined ? sql`null` : sql`(${selectOpenInteraction(now, uid)})`} as interaction
    from (${personBy(email)}) as person`

const personBy = (email: string) => sql<Person>`
      select account_id as "accountId", email, ${signInMethodOf} as "loginMethod",
        ${signInMethodOf} <> login_method as "choseTwoSteps", usual_factor as "usualFactor",
        password_hash as "passwordHash",
        not pending and passive_at is null and sign_in_locked_at is null as active, passive_at is not null as passive,
        ${awaitsFirstSignIn} as awaited, ${isAddressProven} as "addressProven", last_login is not null as "hasBeenHere", auth_epoch as "authEpoch",
        first_name as "firstName", ${phoneForCodes} as "phoneNumber",
        phone_number is not null and ${phoneForCodes} is null as "phoneUnconfirmed",
        ssn_claim is not null as "ssnIsClaim", password_from_mail or mail_refused is not null as "mailInDoubt",
        extract(epoch from browsers_known_from)::float8 * 1000 as "browsersKnownFrom", preferred_language as "preferredLanguage",
        array(select organization_id::text from current_memberships m where m.account_id = u.account_id) as "organizationIds"
      from users u where email = ${email}`

/** Stores a stronger hash of the same password, unless the password was changed in the meantime. */
export const strengthenHash = (db: Db, { accountId, passwordHash }: Person, stronger: string) =>
  db
    .updateTable('users')
    .set({ passwordHash: stronger })
    .where('accountId', '=', accountId)
    .where('passwordHash', '=', passwordHash)
    .execute()

/** The names of a person's organisations, for a mail that says where to ask for help. */
export const listOrganizationNames = async (db: Db, accountId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom(currentMemberships)
    .innerJoin('organizations as o', 'o.organizationId', 'm.organizationId')
    .select('o.name')
    .where('m.accountId', '=', accountId)
    .orderBy('o.name')
    .execute()
  return rows.map((row) => row.name)
}
