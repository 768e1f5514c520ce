import { type Insertable, sql } from 'kysely'
import { insertMemberships } from '#server/accounts/directory-groups.ts'
import { isInDomainOf, yieldsTo } from '#server/oidc/address-proof.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import type { Change } from '#server/platform/database/versioned.ts'

/** Adds the account and its membership. @returns false if the address has an account already */
export async function insertPerson(
  db: Db,
  person: Change<Omit<Insertable<DB['users']>, 'loginMethod'>> & {
    accountId: string
    email: string
    openedFor: string
  },
): Promise<boolean> {
  const { accountId, openedFor } = person
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('users')
    .values({ ...person, loginMethod: 'saml', pending: true })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst()
  if (!numInsertedOrUpdatedRows) return false
  await insertMemberships(db, [{ accountId, organizationId: openedFor, userRole: 'regular', entry: 'opened' }])
  return true
}

/** Where an unknown person may be created. */
export interface Place {
  email: string
  organizationId: string
  organizationName: string
  isInvited: boolean
  /** The address has an account that does not make way. */
  hasAccount: boolean
  assertsNumbers: boolean
}

/** The organisation that wants new people of this configuration, and the first of the addresses in a domain of theirs. */
export async function findPlace(
  db: Db,
  samlConfigId: number,
  emails: readonly string[],
  now: Date,
): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select e.email, o.organization_id as "organizationId", o.name as "organizationName",
      exists (select from invitations i where i.email = e.email and i.organization_id = o.organization_id
        and i.expires_at > ${now}) as "isInvited",
      exists (select from users u where u.email = e.email and not ${yieldsTo('o.organization_id')}) as "hasAccount",
      c.asserts_numbers as "assertsNumbers"
    from unnest(${emails}::text[]) with ordinality as e (email, place)
      join saml_configs c on c.id = ${samlConfigId} and c.active
      join organizations o on o.saml_config_id = c.id and o.login_method = 'saml' and o.create_at_sign_in
    where ${isInDomainOf('e.email', 'c.id')}
    order by e.place limit 1`.execute(db)
  return rows[0]
}
