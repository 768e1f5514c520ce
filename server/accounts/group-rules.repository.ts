import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** The rule of a group, with whether it has put the person in. */
export interface GroupRule {
  groupId: string
  name: string
  organizationId: string
  organizationName: string
  attribute: string
  value: string
  isIn: boolean
}

/**
 * The rules that a sign-in through this configuration answers for a person: those of organisations that sign in with it, and
 * that the person belongs to.
 *
 * @param groupIds only these, whose rules do not change until the transaction ends
 */
export async function listGroupRules(
  db: Db,
  { samlConfigId, accountId }: { samlConfigId: number; accountId: string },
  groupIds?: readonly string[],
): Promise<GroupRule[]> {
  const { rows } = await sql<GroupRule>`
    select g.group_id as "groupId", g.name, g.organization_id as "organizationId", o.name as "organizationName",
      g.rule_attribute as attribute, g.rule_value as value,
      exists (select from group_members m where m.group_id = g.group_id and m.account_id = ${accountId} and m.source = 'rule') as "isIn"
    from groups g join organizations o using (organization_id)
    where o.saml_config_id = ${samlConfigId} and o.login_method = 'saml' and g.rule_attribute is not null
      and exists (select from current_memberships m where m.account_id = ${accountId} and m.organization_id = g.organization_id)
      ${groupIds ? sql`and g.group_id = any (${groupIds as string[]}::uuid[])` : sql``}
    order by g.organization_id, g.name ${groupIds ? sql`for share of g` : sql``}`.execute(db)
  return rows
}
