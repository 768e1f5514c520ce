import { sql } from 'kysely'
import type { Language } from '#contract/roles.ts'
import { isAddressProven, isInDomainOf } from '#server/oidc/address-proof.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Kept } from './scim-users.repository.ts'

/** What an address means for an organisation. */
export interface Place {
  organizationName: string
  /** The organisation's own sign-in, where it covers the address (product-rules 15). */
  samlConfigId: number | null
  account: { accountId: string; operates: boolean; isMember: boolean } | null
  invitation: { invitationId: string; expired: boolean } | null
}

/** Looks at an address, as it is now. */
export async function findPlace(
  db: Db,
  { organizationId, email }: { organizationId: string; email: string },
  now: Date,
): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select o.name as "organizationName",
      case when o.login_method = 'saml' and ${isInDomainOf('a.email', 'o.samlConfigId')} then o.saml_config_id end as "samlConfigId",
      (select jsonb_build_object('accountId', u.account_id, 'operates', u.operates, 'isMember', exists (
          select from memberships m where m.account_id = u.account_id and m.organization_id = o.organization_id))
        from users u where u.email = a.email) as account,
      (select jsonb_build_object('invitationId', i.invitation_id, 'expired', i.expires_at <= ${now})
        from invitations i where i.email = a.email and i.organization_id = o.organization_id) as invitation
    from organizations o cross join (select ${email}::text as email) a
    where o.organization_id = ${organizationId}`.execute(db)
  return rows[0]
}

/** Notes what somebody has in an organisation, for when they come back. */
export async function readKept(
  db: Db,
  member: { accountId: string; organizationId: string },
): Promise<Kept | undefined> {
  const { rows } = await sql<Kept>`
    select user_role as "userRole", entry, valid_from::text as "validFrom", valid_until::text as "validUntil",
      role_from::text as "roleFrom", role_until::text as "roleUntil",
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'serviceId', a.service_id, 'userRole', a.user_role,
          'validFrom', a.valid_from, 'validUntil', a.valid_until,
          'roles', (select coalesce(jsonb_agg(jsonb_build_object(
              'roleId', r.role_id, 'validFrom', r.valid_from, 'validUntil', r.valid_until)), '[]')
            from service_role_assignments r
            where (r.account_id, r.organization_id, r.service_id) = (a.account_id, a.organization_id, a.service_id)
              and coalesce((to_jsonb(r) ->> 'by_hand')::boolean, true)))
          order by a.service_id)
        from service_assignments a
        -- What the person has for themselves; what groups alone give has no source, and is theirs to give.
        where (a.account_id, a.organization_id) = (m.account_id, m.organization_id)
          and to_jsonb(a) -> 'source' is distinct from 'null'::jsonb), '[]') as services
    from memberships m
    where account_id = ${member.accountId} and organization_id = ${member.organizationId}`.execute(db)
  return rows[0]
}

/** Whether the account may become a member again without an invitation: it is there, and no other rule stands against it. */
export async function canReturn(db: Db, accountId: string, { entry }: Kept): Promise<boolean> {
  const { rows } = await sql<{ allowed: boolean }>`
    select not operates and (${isAddressProven}
      or (${entry} = 'opened' and not exists (select from memberships m where m.account_id = users.account_id))) as allowed
    from users where account_id = ${accountId} for no key update`.execute(db)
  return rows[0]?.allowed ?? false
}

/** Gives a membership back as it was, with the services that are still offered and have a free seat. @returns how many had none */
export async function giveBack(
  db: Db,
  member: { accountId: string; organizationId: string },
  kept: Kept,
): Promise<{ withoutSeat: number }> {
  const { accountId, organizationId } = member
  await sql`
    insert into memberships (account_id, organization_id, user_role, entry, valid_from, valid_until, role_from, role_until)
    values (${accountId}, ${organizationId}, ${kept.userRole}, ${kept.entry}, ${kept.validFrom}::date,
      ${kept.validUntil}::date, ${kept.roleFrom}::date, ${kept.roleUntil}::date)`.execute(db)
  const wanted = JSON.stringify(kept.services)
  const { rows } = await sql<{ serviceId: string; given: boolean }>`
    with wanted as (
      select * from jsonb_to_recordset(${wanted}::jsonb)
        as w ("serviceId" uuid, "userRole" text, "validFrom" date, "validUntil" date)
    ), offered as materialized (
      -- The rows that count the seats, always in the same order.
      select o.service_id, o.max_number_of_users is null or o.seats_used < o.max_number_of_users as free
      from organization_services o
      where o.organization_id = ${organizationId} and o.service_id in (select "serviceId" from wanted)
      order by o.service_id for no key update
    ), given as (
      insert into service_assignments (account_id, organization_id, service_id, user_role, valid_from, valid_until)
      select ${accountId}::uuid, ${organizationId}::uuid, "serviceId", "userRole", "validFrom", "validUntil"
      from wanted join offered on offered.service_id = "serviceId" and free
      returning service_id
    )
    select "serviceId", exists (select from given where service_id = "serviceId") as given from wanted`.execute(db)
  await giveRolesBack(db, member, kept)
  return { withoutSeat: rows.filter(({ given }) => !given).length }
}

/** The service's own roles, one by one: one that is full or was removed by now is left out. */
const giveRolesBack = (
  db: Db,
  { accountId, organizationId }: { accountId: string; organizationId: string },
  kept: Kept,
) =>
  sql`select give_service_roles(${accountId}::uuid, ${organizationId}::uuid, ${JSON.stringify(kept.services.flatMap(({ roles }) => roles))}::jsonb)`.execute(
    db,
  )

/** Whether somebody is the last who can administer the organisation. */
export async function isLastAdmin(
  db: Db,
  { accountId, organizationId }: { accountId: string; organizationId: string },
) {
  const { rows } = await sql<{ last: boolean }>`
    select bool_and(account_id = ${accountId}) as last from standing_admins
    where organization_id = ${organizationId}`.execute(db)
  return rows[0]?.last ?? false
}

/** Whether somebody belongs to an organisation at all. */
export async function hasMemberships(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`select from memberships where account_id = ${accountId} limit 1`.execute(db)
  return rows.length > 0
}

/** Adds the account of a person whom the organisation's own sign-in lets in, and proves, later. @returns false where the address has one by now */
export async function insertAccount(
  db: Db,
  account: {
    accountId: string
    email: string
    firstName: string | null
    lastName: string | null
    phoneNumber: string | null
    preferredLanguage: Language | null
    samlConfigId: number
    organizationId: string
  },
): Promise<boolean> {
  const { organizationId, ...person } = account
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('users')
    .values({
      ...person,
      ...(person.phoneNumber !== null && { phoneClaim: 'admin' as const }),
      loginMethod: 'saml',
      pending: true,
      openedFor: organizationId,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst()
  return Boolean(numInsertedOrUpdatedRows)
}

export const insertMembership = (db: Db, member: { accountId: string; organizationId: string }) =>
  db
    .insertInto('memberships')
    .values({ ...member, userRole: 'regular', entry: 'opened' })
    .execute()
