import { sql } from 'kysely'
import type { EventLink } from '#contract/audit-events/audit-events.ts'
import type { Db } from '#server/platform/database/database.ts'
import { isUuid } from './names-at-the-time.repository.ts'
import { readsOfAll, type Viewer } from './viewer.ts'

/** The thing with this id, where it still exists and the viewer may see it. */
export async function findLink(db: Db, viewer: Viewer, id: string | null, name = ''): Promise<EventLink | null> {
  if (!isUuid(id)) return viewer === 'everything' && name.endsWith('SamlConfig') ? samlConfigLink(db, id) : null
  const mine = readsOfAll(viewer) ? sql`true` : sql`organization_id = any (${viewer.organizationIds}::uuid[])`
  const others = readsOfAll(viewer)
    ? sql`
        union all select 'user' from users where account_id = ${id}::uuid
        union all select 'organization' from organizations where organization_id = ${id}::uuid
        union all select 'service' from services where service_id = ${id}::uuid`
    : sql``
  const { rows } = await sql<{ kind: EventLink['kind'] }>`
    select 'user' as kind from memberships where account_id = ${id}::uuid and ${mine}
    union all select 'user' from invitations where invitation_id = ${id}::uuid and ${mine}
    ${others} limit 1`.execute(db)
  return rows[0] ? { kind: rows[0].kind, id } : null
}

async function samlConfigLink(db: Db, id: string | null): Promise<EventLink | null> {
  if (!id || !/^[0-9]{1,9}$/.test(id)) return null
  const row = await db.selectFrom('samlConfigs').select('id').where('id', '=', Number(id)).executeTakeFirst()
  return row ? { kind: 'samlConfig', id } : null
}
