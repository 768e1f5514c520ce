import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { ListPart } from '#server/platform/database/list-page.ts'

interface Reading {
  parts: readonly ListPart[]
  sortDirection: 'asc' | 'desc'
  limit: number
}

/**
 * Reads the ids of a list in its order, some at a time. Each time it goes on after the last one, so that a long list needs
 * neither memory nor a long transaction.
 */
export async function* readIdsInOrder(db: Db, { parts, sortDirection, limit }: Reading): AsyncGenerator<string[]> {
  if (parts.length === 0) return
  const direction = sortDirection === 'asc' ? sql`asc` : sql`desc`
  const order = sql`order by place ${direction}, id ${direction} limit ${limit}`
  let last: { id: string; place: string } | undefined
  for (;;) {
    const after = last
      ? sql`where (place, id) ${sortDirection === 'asc' ? sql`>` : sql`<`} (${last.place}, ${last.id}::uuid)`
      : sql``
    const pages = parts.map(({ rows }) => sql`(select id, place from (${rows}) as part ${after} ${order})`)
    const { rows } = await sql<{ id: string; place: string }>`
      select id, place from (${sql.join(pages, sql` union all `)}) as list ${order}`.execute(db)
    if (rows.length > 0) yield rows.map(({ id }) => id)
    last = rows.at(-1)
    if (rows.length < limit || !last) return
  }
}

/** The name of a service, for the audit log. */
export const findServiceName = async (db: Db, serviceId: string): Promise<string | undefined> =>
  (await db.selectFrom('services').select('name').where('serviceId', '=', serviceId).executeTakeFirst())?.name

/** The name of a group, of the given organisation or of any, for the audit log. */
export const findGroupName = async (db: Db, groupId: string, organization?: { organizationId: string }) =>
  (
    await db
      .selectFrom('groups')
      .select('name')
      .where('groupId', '=', groupId)
      .$if(organization !== undefined, (some) => some.where('organizationId', '=', organization?.organizationId ?? ''))
      .executeTakeFirst()
  )?.name

/** The name of a role of an organisation's own, of the given organisation or of any, for the audit log. */
export const findRoleName = async (db: Db, roleId: string, organization?: { organizationId: string }) =>
  (
    await db
      .selectFrom('organizationRoles')
      .select('name')
      .where('roleId', '=', roleId)
      .$if(organization !== undefined, (some) => some.where('organizationId', '=', organization?.organizationId ?? ''))
      .executeTakeFirst()
  )?.name

/** Whether somebody in an organisation, or in any, has a role beside the admin role. */
export async function hasMoreRoles(db: Db, organizationId: string | undefined): Promise<boolean> {
  const grants = db.selectFrom('allGrants').select('accountId').where('scope', '=', 'organization').limit(1)
  const rows = await (organizationId ? grants.where('organizationId', '=', organizationId) : grants).execute()
  return rows.length > 0
}

/** Whether an organisation, or any, has groups. */
export async function hasGroups(db: Db, organizationId: string | undefined): Promise<boolean> {
  const groups = db.selectFrom('groups').select('groupId').limit(1)
  const rows = await (organizationId ? groups.where('organizationId', '=', organizationId) : groups).execute()
  return rows.length > 0
}
