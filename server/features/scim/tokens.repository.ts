import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import type { Directory } from '#server/platform/system.ts'

const columns = ['tokenId', 'name', 't.createdAt', 'expiresAt', 'lastUsedAt', 'setupId', 'byOperator'] as const

/** The tokens of an organisation that are valid, the oldest first. */
export const listTokens = (db: Db, organizationId: string, now: Date) =>
  db
    .selectFrom('scimTokens as t')
    .leftJoin('users as u', 'u.accountId', 't.createdBy')
    .select(columns)
    .select(['u.email as maker', sql<boolean>`coalesce(u.super_user, false)`.as('operates')])
    .select(sql<boolean>`token_stands(t.token_id)`.as('stands'))
    .where('organizationId', '=', organizationId)
    .where('expiresAt', '>', now)
    .orderBy('t.createdAt')
    .orderBy('tokenId')
    .execute()

/** Lets one request at a time count what an organisation's directory has, and add to it. @returns its name */
export const lockOrganization = (db: Db, organizationId: string) =>
  db
    .selectFrom('organizations')
    .select('name')
    .where('organizationId', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const insertToken = (
  db: Db,
  token: {
    tokenId: string
    organizationId: string
    name: string
    tokenHash: Buffer
    createdAt: Date
    expiresAt: Date
    setupId: string | null
    createdBy: string | null
    byOperator: boolean
    answersFor: string | null
  },
) => db.insertInto('scimTokens').values(token).execute()

export const deleteToken = (db: Db, { organizationId, tokenId }: { organizationId: string; tokenId: string }) =>
  db
    .deleteFrom('scimTokens')
    .where('organizationId', '=', organizationId)
    .where('tokenId', '=', tokenId)
    .returning('name')
    .executeTakeFirst()

/** Finds the directory of a token, and notes once a minute that it was used. */
export async function findDirectory(db: Db, tokenHash: Buffer, now: Date): Promise<Directory | undefined> {
  const minuteAgo = new Date(now.getTime() - 60_000)
  const statement = sql<Directory>`
    with used as (
      update scim_tokens set last_used_at = ${now}
      where token_hash = ${tokenHash} and expires_at > ${now} and (last_used_at is null or last_used_at < ${minuteAgo}))
    select t.token_id as "tokenId", t.name, o.organization_id as "organizationId", o.name as "organizationName"
    from scim_tokens t join organizations o using (organization_id)
    where t.token_hash = ${tokenHash} and t.expires_at > ${now}`
  return (await executePrepared(db, statement)).rows[0]
}

/** The organisation as its admins see its directory. */
export async function readDirectoryState(db: Db, organizationId: string) {
  const { rows } = await sql<{ name: string; domains: string[]; people: number; active: number }>`
    select o.name,
      case when o.login_method = 'saml' then array(
        select mail_domain from saml_mail_domains where saml_config_id = o.saml_config_id order by 1) else '{}' end as domains,
      counted.people, counted.active
    from organizations o, lateral (
      select count(*)::integer as people, count(*) filter (where active)::integer as active
      from scim_users s where s.organization_id = o.organization_id) as counted
    where o.organization_id = ${organizationId}`.execute(db)
  return rows[0]
}

export interface EndingToken {
  tokenId: string
  name: string
  organizationId: string
  organizationName: string
  expiresAt: Date
  warnedDays: number | null
}

/** The tokens that end within so many days. */
export const listEndingTokens = (db: Db, now: Date, days: number): Promise<EndingToken[]> =>
  db
    .selectFrom('scimTokens as t')
    .innerJoin('organizations as o', 'o.organizationId', 't.organizationId')
    .select(['t.tokenId', 't.name', 't.organizationId', 'o.name as organizationName', 't.expiresAt', 't.warnedDays'])
    .where('t.expiresAt', '>', now)
    .where('t.expiresAt', '<=', new Date(now.getTime() + days * 86_400_000))
    .orderBy('t.expiresAt')
    .execute()

/** Remembers a warning; the first node to do so sends it. @returns false if it was sent before */
export async function rememberWarning(db: Db, tokenId: string, daysBefore: number): Promise<boolean> {
  const { rows } = await sql`
    update scim_tokens set warned_days = ${daysBefore}
    where token_id = ${tokenId} and (warned_days is null or warned_days > ${daysBefore}) returning 1`.execute(db)
  return rows.length > 0
}
