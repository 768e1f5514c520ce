import { type RawBuilder, sql } from 'kysely'
import { ownsAddress } from '#server/features/invitations/invitations.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JsonObject } from '#server/platform/database/database-types.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { unsealSsn } from '#server/platform/secrets/ssn.ts'
import { type DataSection, dataSections } from './data-sections.ts'

/** A copy of what the portal holds on a person: rows by section. */
export type OwnData = Record<DataSection, JsonObject[]>

/** What the operator noted about an account is for the operator (security 47). */
const withoutOperatorsNotes = sql`jsonb_path_query_array(changes, '$[*] ? (@.property != "unprovenReason")')`

/** Each selects the columns of its section for an account, and for its address (null until the account has proven it). */
/** The keys of all roles in a service, with their days. */
const heldRoles = sql`array(
  select r.key || case when h.valid_from is null and h.valid_until is null then ''
    else ' (' || concat_ws(' ', h.valid_from, '–', h.valid_until) || ')' end
  from service_role_assignments h join service_roles r using (service_id, role_id)
  where h.account_id = a.account_id and h.organization_id = a.organization_id and h.service_id = a.service_id
  order by r.key)`

const selects: Record<DataSection, (accountId: string, email: string | null) => RawBuilder<JsonObject>> = {
  account: (accountId) => sql`
    select email, email_proven_at as "emailProvenAt", first_name as "firstName", last_name as "lastName",
      phone_number as "phoneNumber", phone_proven_at as "phoneProvenAt",
      ssn_proof is not null as "ssnConfirmed", ssn_proven_at as "ssnProvenAt", preferred_language as "preferredLanguage",
      login_method as "loginMethod", super_user as "superUser", g.role as "portalRole",
      g.valid_from as "portalRoleFrom", g.valid_until as "portalRoleUntil", users.created_at as "createdAt", last_login as "lastLogin",
      last_active as "lastActive", password_changed_at as "passwordChangedAt", max_passive_days as "maxPassiveDays",
      account_id as "accountId"
    from users left join (select * from all_grants where scope = 'portal') g using (account_id) where account_id = ${accountId}`,
  formerNames: (accountId) => sql`
    select email, first_name as "firstName", last_name as "lastName", until from former_names
    where account_id = ${accountId} order by until`,
  memberships: (accountId) => sql`
    select o.name as organization, m.user_role as role, m.created_at as "createdAt",
      m.valid_from as "validFrom", m.valid_until as "validUntil", m.role_from as "roleFrom", m.role_until as "roleUntil",
      (select json_agg(json_build_object('role', role, 'validFrom', valid_from, 'validUntil', valid_until)) from (
        select coalesce(name, h.role) as role, h.valid_from, h.valid_until
        from all_held_roles h where h.account_id = m.account_id and h.organization_id = m.organization_id
        union all select r.role || ': ' || coalesce(s.name, g.name), r.valid_from, r.valid_until
        from all_grants r left join services s using (service_id) left join groups g using (group_id)
        where r.scope_id is not null and r.account_id = m.account_id and r.organization_id = m.organization_id) as held) as roles
    from memberships m join organizations o using (organization_id) where m.account_id = ${accountId} order by o.name`,
  services: (accountId) => sql`
    select s.name as service, o.name as organization, a.user_role as role, a.created_at as "createdAt",
      ${heldRoles} as "serviceRoles", a.last_used as "lastUsed", a.valid_from as "validFrom", a.valid_until as "validUntil"
    from service_assignments a join services s using (service_id) join organizations o using (organization_id)
    where a.account_id = ${accountId} order by s.name, o.name`,
  groups: (accountId) => sql`
    select g.name as "group", o.name as organization, m.source, m.valid_from as "validFrom", m.valid_until as "validUntil",
      m.created_at as "createdAt"
    from group_members m join groups g using (group_id) join organizations o on o.organization_id = m.organization_id
    where m.account_id = ${accountId} order by o.name, g.name`,
  directories: (accountId) => sql`
    select o.name as organization, d.created_at as "createdAt",
      d.attributes || jsonb_build_object('userName', d.user_name, 'externalId', d.external_id, 'active', d.active) as sent
    from scim_users d join organizations o using (organization_id) where d.account_id = ${accountId} order by o.name`,
  launcher: (accountId) => sql`
    select s.name as service, p.favourite
    from service_preferences p join services s using (service_id) where p.account_id = ${accountId} order by s.name`,
  accessRequests: (accountId) => sql`
    select s.name as service, o.name as organization, r.created_at as "createdAt", r.refused_because as "refusedBecause"
    from access_requests r join services s using (service_id) join organizations o using (organization_id)
    where r.account_id = ${accountId} order by r.created_at`,
  invitations: (_, email) => sql`
    select o.name as organization, i.first_name as "firstName", i.last_name as "lastName", i.message,
      i.created_at as "createdAt", i.expires_at as "expiresAt"
    from invitations i left join organizations o using (organization_id) where i.email = ${email} order by i.created_at`,
  secondFactors: (accountId) => sql`
    select 'app' as "secondFactor", created_at as "createdAt", last_used_at as "lastUsed"
    from authenticator_apps where account_id = ${accountId}
    union all select 'recoveryCode', created_at, used_at from recovery_codes where account_id = ${accountId}`,
  passkeys: (accountId) => sql`
    select name as passkey, created_browser as device, created_at as "createdAt", last_used_at as "lastUsed",
      ended_at as until
    from passkeys where account_id = ${accountId} order by created_at`,
  sessions: (accountId) => sql`
    select user_agent as device, host(ip) as "ipAddress", created_at as "createdAt", last_used_at as "lastUsed",
      expires_at as "expiresAt"
    from sessions where account_id = ${accountId} order by created_at`,
  organizationSignIns: (_, email) => sql`
    select created_at as "createdAt", reference, failure from saml_sign_ins where email = ${email} order by created_at`,
  warnings: (accountId) => sql`
    select sent_at as "createdAt", days_before as "daysBefore" from passive_warnings
    where account_id = ${accountId} order by sent_at`,
  messages: (accountId, email) => sql`
    select kind, template, recipient, state, created_at as "createdAt", finished_at as "sentAt"
    from outbox_messages where account_id = ${accountId} or (kind = 'mail' and recipient = ${email}) order by created_at`,
  // Who else had a part in an event is not the person's own data, and neither is what the person changed of others.
  events: (accountId) => sql`
    select created_at as "createdAt", name as event, case when actor_id = ${accountId} then actor end as actor,
      case when target_id = ${accountId} then target end as target,
      case when target_id = ${accountId} then ${withoutOperatorsNotes} else '[]' end as changes
    from audit_events where actor_id = ${accountId} or target_id = ${accountId}::text order by created_at, id`,
}

/** Collects everything on a person. */
export async function collectData(db: Db, keys: Keys, accountId: string): Promise<OwnData | undefined> {
  const user = await db
    .selectFrom('users')
    .select(['email', 'ssnSealed'])
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  if (!user) return undefined
  const data: Partial<OwnData> = {}
  // Somebody could open an account with another person's address, and read what organisations sent to it.
  const ownAddress = (await ownsAddress(db, accountId)) ? user.email : null
  for (const name of dataSections)
    data[name] = (await selects[name](accountId, ownAddress).execute(db)).rows.map((row) => ({ ...row }))
  const ssn = user.ssnSealed ? await unsealSsn(keys, accountId, user.ssnSealed) : null
  for (const account of data.account ?? []) Object.assign(account, { ssn, ...(ssn === null && { ssnConfirmed: null }) })
  return data as OwnData
}
