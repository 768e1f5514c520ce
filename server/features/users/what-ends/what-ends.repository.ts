import { sql } from 'kysely'
import type { WhatEnds } from '#contract/users/what-ends.ts'
import type { Db } from '#server/platform/database/database.ts'

interface Of {
  accountId: string
  /** One; undefined: all. */
  organizationId?: string
  /** Whether the reader may know who operates the portal. */
  isOperator: boolean
  now: Date
}

/** Whether somebody promises something by the invitation `i` that they must hold themselves. */
const promisedBy = (accountId: string) => sql`(
  i.promised_by = ${accountId} and i.user_role <> 'regular'
  or exists (select from invitation_services p where p.invitation_id = i.invitation_id and p.promised_by = ${accountId})
  or exists (select from invitation_service_roles p where p.invitation_id = i.invitation_id and p.promised_by = ${accountId})
  or exists (select from invitation_groups p where p.invitation_id = i.invitation_id and p.promised_by = ${accountId}))`

/** What somebody has made in organisations that works by their right. */
export async function readEndsIn(
  db: Db,
  { accountId, organizationId = undefined, isOperator, now }: Of,
): Promise<WhatEnds['organizations']> {
  const { rows } = await sql<WhatEnds['organizations'][number]>`
    select o.name, made.* from organizations o cross join lateral (
      select
        array(select t.name from scim_tokens t where t.organization_id = o.organization_id and t.answers_for = ${accountId}
          and t.expires_at > ${now} and (${isOperator} or not t.by_operator) order by t.created_at) as tokens,
        (select count(*)::integer from saml_setups s where s.organization_id = o.organization_id and s.made_by = ${accountId}
          and s.state <> 'revoked' and s.expires_at > ${now}) as "setupLinks",
        (select count(*)::integer from invitations i where i.organization_id = o.organization_id and i.expires_at > ${now}
          and ${promisedBy(accountId)}) as invitations,
        (select count(*)::integer from invitations i where i.organization_id = o.organization_id and i.expires_at > ${now}
          and i.invited_by = ${accountId} and not ${promisedBy(accountId)}) as "otherInvitations",
        array(select g.display_name from scim_groups g where g.organization_id = o.organization_id
          and g.decided_by = ${accountId} and num_nonnulls(g.group_id, g.role) > 0 order by 1) as "directoryGroups") as made
    where (o.organization_id = ${organizationId ?? null} or ${organizationId ?? null}::uuid is null)
      and (cardinality(made.tokens) > 0 or made."setupLinks" + made.invitations + made."otherInvitations" > 0 or cardinality(made."directoryGroups") > 0)
      and (${isOperator} or not exists (select from users where account_id = ${accountId} and super_user))
    order by o.name, o.organization_id`.execute(db)
  return rows
}

/** What a super user has made for the portal. */
export async function readEndsOfPortal(db: Db, accountId: string): Promise<Pick<WhatEnds, 'streams' | 'clients'>> {
  const { rows } = await sql<Pick<WhatEnds, 'streams' | 'clients'>>`
    select array(select url from audit_streams where answers_for = ${accountId} order by url) as streams,
      array(select s.name from clients c join services s using (service_id) where c.secret_made_by = ${accountId} order by 1) as clients`.execute(
    db,
  )
  return rows[0] ?? { streams: [], clients: [] }
}
