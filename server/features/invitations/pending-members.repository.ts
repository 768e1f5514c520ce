import { sql } from 'kysely'
import type { OrganizationRole, ServiceRole } from '#contract/roles.ts'
import { periodOf } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { InvitationKey, Invitee } from './invitations.repository.ts'

/** The given addresses that are members of the organisation. */
export const findMembersAmong = async (
  db: Db,
  organizationId: string,
  emails: readonly string[],
): Promise<Set<string>> => {
  if (emails.length === 0) return new Set()
  const rows = await db
    .selectFrom('users as u')
    .innerJoin('memberships as m', 'm.accountId', 'u.accountId')
    .select('u.email')
    .where('m.organizationId', '=', organizationId)
    .where('u.email', 'in', emails)
    .execute()
  return new Set(rows.map(({ email }) => email))
}

/**
 * The memberships of an account in the form of invitations, to turn them back into invitations. These know no end of a role or
 * of a service, so what has one is left out.
 */
export const listAsInvitees = (
  db: Db,
  accountId: string,
): Promise<(Invitee & { organizationId: string; organizationName: string })[]> =>
  db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.accountId', 'm.accountId')
    .innerJoin('organizations as o', 'o.organizationId', 'm.organizationId')
    .select(['m.organizationId', 'o.name as organizationName', 'u.email', 'u.firstName', 'u.lastName'])
    .select(periodOf('m'))
    .select(
      sql<OrganizationRole>`case when coalesce(m.role_from, m.role_until) is null then m.user_role else 'regular' end`.as(
        'userRole',
      ),
    )
    .select(
      sql<{ serviceId: string; userRole: ServiceRole; roles: { roleId: string }[] }[]>`(
        select coalesce(json_agg(json_build_object('serviceId', a.service_id, 'userRole', a.user_role, 'roles', (
            select coalesce(json_agg(json_build_object('roleId', h.role_id)), '[]') from service_role_assignments h
            where h.account_id = a.account_id and h.organization_id = a.organization_id and h.service_id = a.service_id and h.source = 'hand'))), '[]')
        from service_assignments a where a.account_id = m.account_id and a.organization_id = m.organization_id
          and coalesce(a.valid_from, a.valid_until) is null and a.source is not null)`.as('services'),
    )
    .select(
      sql<{ groupId: string }[]>`(
        select coalesce(json_agg(json_build_object('groupId', g.group_id)), '[]') from group_members g
        where g.account_id = m.account_id and g.organization_id = m.organization_id and g.source = 'hand'
          and coalesce(g.valid_from, g.valid_until) is null)`.as('groups'),
    )
    .where('m.accountId', '=', accountId)
    .orderBy('m.organizationId')
    .execute()

/** Finds a person who accepted but has not signed in yet. */
export const findPendingMember = (db: Db, { email, organizationId }: InvitationKey) =>
  pendingMember(db, { email, organizationId }).executeTakeFirst()
/** Finds and locks the person until the transaction ends, so that they cannot sign in before. */
export const lockPendingMember = (db: Db, { email, organizationId }: InvitationKey) =>
  pendingMember(db, { email, organizationId }).forUpdate('u').executeTakeFirst()

const pendingMember = (db: Db, { email, organizationId }: InvitationKey) =>
  db
    .selectFrom('users as u')
    .innerJoin('memberships as m', 'm.accountId', 'u.accountId')
    .select(['u.accountId', 'u.ssnSealed'])
    .where('u.email', '=', email)
    .where('u.pending', '=', true)
    .where('u.operates', '=', false)
    .where('m.organizationId', '=', organizationId)

/** The delivery state of an invitation mail. */
export const findDelivery = (db: Db, { email, organizationId }: InvitationKey) =>
  db
    .selectFrom('invitations as i')
    .leftJoin('outboxMessages as mail', 'mail.id', 'i.outboxId')
    .select(['i.sentAt', 'i.expiresAt', 'mail.state', 'mail.reason'])
    .where('i.email', '=', email)
    .where('i.organizationId', '=', organizationId)
    .executeTakeFirst()

/** The invitation of an address to an organisation, expired or not. */
export const findInvitationTo = (db: Db, { email, organizationId }: InvitationKey) =>
  db
    .selectFrom('invitations')
    .select(['invitationId', 'message', 'language'])
    .where('email', '=', email)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
