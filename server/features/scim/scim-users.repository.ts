import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { DB, JsonObject } from '#server/platform/database/database-types.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Term } from './filter.ts'

/** A person as the directory of an organisation sees them. */
export type ScimUser = Omit<Selectable<DB['scimUsers']>, 'attributes' | 'kept' | 'userNameFolded'> & {
  attributes: JsonObject
  kept: Kept | null
}

/** What somebody had when the directory ended it. */
export interface Kept {
  /** When it was noted. */
  at: string
  userRole: 'regular' | 'organizationAdmin'
  entry: 'opened' | 'joined' | 'guest'
  validFrom: string | null
  validUntil: string | null
  roleFrom: string | null
  roleUntil: string | null
  services: {
    serviceId: string
    userRole: 'regular' | 'serviceAdmin'
    validFrom: string | null
    validUntil: string | null
    roles: { roleId: string; validFrom: string | null; validUntil: string | null }[]
  }[]
  /** Of the organisation, with what they allowed then. */
  roles: {
    roleKey: string | null
    roleId: string | null
    validFrom: string | null
    validUntil: string | null
    permissions: string[]
  }[]
  /** By hand, with the ids of the services and roles that they gave then. */
  groups: { groupId: string; validFrom: string | null; validUntil: string | null; gives: string[] }[]
}

const columns = [
  'scimUserId',
  'organizationId',
  'userName',
  'externalId',
  'attributes',
  'mails',
  'active',
  'email',
  'accountId',
  'kept',
  'waits',
  'version',
  'createdAt',
  'updatedAt',
] as const

const select = (db: Db, organizationId: string) =>
  db.selectFrom('scimUsers').select(columns).where('organizationId', '=', organizationId)

interface Key {
  organizationId: string
  scimUserId: string
}

/** A person of this organisation's directory; of another one there is none. */
export const findScimUser = async (db: Db, { organizationId, scimUserId }: Key): Promise<ScimUser | undefined> =>
  (await select(db, organizationId).where('scimUserId', '=', scimUserId).executeTakeFirst()) as ScimUser | undefined

/** The same, locked until the transaction ends. */
export const lockScimUser = async (db: Db, { organizationId, scimUserId }: Key): Promise<ScimUser | undefined> =>
  (await select(db, organizationId).where('scimUserId', '=', scimUserId).forUpdate().executeTakeFirst()) as
    | ScimUser
    | undefined

const folded = (value: string | boolean) => sql`folded(${text(value)})`
const text = (value: string | boolean) => {
  if (typeof value !== 'string') throw new Problem(400, 'scimInvalidFilter')
  if (value.includes('\u0000') || !value.isWellFormed()) throw new Problem(400, 'scimInvalidFilter')
  return value
}

/** What can be asked for, each by an index. */
const conditions: Record<string, (term: Term) => RawBuilder<boolean>> = {
  id: ({ value }) => sql`scim_user_id::text = ${text(value).toLowerCase()}`,
  username: ({ value }) => sql`user_name_folded = ${folded(value)}`,
  externalid: ({ value }) => sql`external_id = ${text(value)}`,
  active: ({ value }) => {
    if (typeof value !== 'boolean') throw new Problem(400, 'scimInvalidFilter')
    return sql`active = ${value}`
  },
  emails: (term) => mail(term),
  'emails.value': (term) => mail(term),
}

const mail = ({ value, type }: Term) => sql<boolean>`mails @> array[${folded(value)}] and exists (
  select from jsonb_array_elements(attributes -> 'emails') e
  where folded(e ->> 'value') = ${folded(value)} and ${type === undefined ? sql`true` : sql`lower(e ->> 'type') = lower(${type})`})`

/** @throws Problem 400 `scimInvalidFilter` for an attribute by which nothing is found */
function conditionOf(terms: readonly Term[]): RawBuilder<boolean> {
  const each = terms.map((term) => {
    const condition = conditions[term.attribute.replace(/^urn:ietf:params:scim:schemas:core:2\.0:user:/, '')]
    if (!condition || (term.type !== undefined && !term.attribute.startsWith('emails')))
      throw new Problem(400, 'scimInvalidFilter')
    return sql`(${condition(term)})`
  })
  return each.length > 0 ? sql`(${sql.join(each, sql` and `)})` : sql`true`
}

/** A page of the directory's people in order of their ids, and how many there are. */
export async function listScimUsers(
  db: Db,
  organizationId: string,
  { terms, offset, limit }: { terms: readonly Term[]; offset: number; limit: number },
): Promise<{ total: number; people: ScimUser[] }> {
  const condition = conditionOf(terms)
  const counted = await db
    .selectFrom('scimUsers')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('organizationId', '=', organizationId)
    .where(condition)
    .executeTakeFirstOrThrow()
  const total = Number(counted.total)
  if (limit === 0 || offset >= total) return { total, people: [] }
  const people = await select(db, organizationId)
    .where(condition)
    .orderBy('scimUserId')
    .offset(offset)
    .limit(limit)
    .execute()
  return { total, people: people as ScimUser[] }
}

type Written = Pick<ScimUser, 'userName' | 'externalId' | 'attributes' | 'mails' | 'active' | 'email'>

const asColumns = ({ attributes, ...written }: Written) => ({
  ...written,
  attributes: JSON.stringify(attributes),
})

/** @throws DatabaseError of the constraint `scim_user_name_taken` */
export async function insertScimUser(db: Db, key: Key, written: Written, now: Date): Promise<ScimUser> {
  const row = await db
    .insertInto('scimUsers')
    .values({ ...key, ...asColumns(written), createdAt: now, updatedAt: now })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return row as ScimUser
}

export async function changeScimUser(db: Db, scimUserId: string, written: Written, now: Date): Promise<ScimUser> {
  const row = await db
    .updateTable('scimUsers')
    .set({ ...asColumns(written), updatedAt: now, version: sql`version + 1` })
    .where('scimUserId', '=', scimUserId)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return row as ScimUser
}

/** Notes who the person is, and what waits. The directory's view is as it was. */
export const noteState = (
  db: Db,
  scimUserId: string,
  { kept, ...state }: { accountId?: string | null; kept?: Kept | null; waits?: boolean },
) =>
  db
    .updateTable('scimUsers')
    .set({ ...state, ...(kept !== undefined && { kept: kept === null ? null : JSON.stringify(kept) }) })
    .where('scimUserId', '=', scimUserId)
    .execute()

export const deleteScimUser = (db: Db, scimUserId: string) =>
  executePrepared(db, db.deleteFrom('scimUsers').where('scimUserId', '=', scimUserId))

const maxWaiting = 10_000

/** Whose invitations wait, the oldest first. */
export const listWaiting = (db: Db): Promise<(Key & { email: string })[]> =>
  db
    .selectFrom('scimUsers')
    .select(['organizationId', 'scimUserId', 'email'])
    .where('waits', '=', true)
    .where('active', '=', true)
    .orderBy('organizationId')
    .orderBy('scimUserId')
    .limit(maxWaiting)
    .execute()
