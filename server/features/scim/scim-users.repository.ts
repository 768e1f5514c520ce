import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { DB, JsonObject } from '#server/platform/database/database-types.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import { type Columns, conditionOf, equalTo, isId, metaColumns } from './filter.repository.ts'
import type { Filter } from './protocol/filter-tree.ts'
import { userLocation } from './protocol/locations.ts'
import { coreUser, enterpriseUser } from './protocol/schema.ts'

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
  'waitsFor',
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

/** Where filters find what is asked for of a person. */
function columnsOf(baseUrl: string): Columns {
  const own: Record<string, RawBuilder<unknown>> = {
    id: sql`scim_user_id::text`,
    userName: sql`user_name`,
    externalId: sql`external_id`,
    active: sql`active`,
    ...metaColumns(userLocation(baseUrl, ''), 'User', sql`scim_user_id`),
  }
  return {
    value: (names) => own[names.join('.')] ?? sql`attributes #>> ${names}::text[]`,
    folded: ([name]) => (name === 'userName' ? sql`user_name_folded` : undefined),
    byIndex: ([name], value) => (name === 'id' ? isId(sql`scim_user_id`, value) : undefined),
    some: (name, filter) => {
      const isOne = conditionOf(filter, { value: (names) => sql`e.value #>> ${names}::text[]` })
      const address = name === 'emails' ? equalTo(filter, 'value') : undefined
      const found = address === undefined ? sql`true` : sql`mails @> array[folded(${address}::text)]`
      return sql`(${found} and exists (select from jsonb_array_elements(${valuesOf(name)}) e where ${isOne}))`
    },
  }
}

const valuesOf = (name: string) =>
  name === 'schemas'
    ? sql`jsonb_build_array(jsonb_build_object('value', ${coreUser}::text))
        || case when jsonb_exists(attributes, ${enterpriseUser}) then jsonb_build_array(jsonb_build_object('value', ${enterpriseUser}::text))
          else '[]' end`
    : sql`attributes -> ${name}::text`

/** A page of the directory's people in order of their ids, and how many there are. */
export async function listScimUsers(
  db: Db,
  organizationId: string,
  { filter, baseUrl, offset, limit }: { filter: Filter; baseUrl: string; offset: number; limit: number },
): Promise<{ total: number; people: ScimUser[] }> {
  const condition = conditionOf(filter, columnsOf(baseUrl))
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
  { kept, ...state }: { accountId?: string | null; kept?: Kept | null; waits?: boolean; waitsFor?: string | null },
) =>
  db
    .updateTable('scimUsers')
    .set({ ...state, ...(kept !== undefined && { kept: kept === null ? null : JSON.stringify(kept) }) })
    .where('scimUserId', '=', scimUserId)
    .execute()

export const deleteScimUser = (db: Db, scimUserId: string) =>
  executePrepared(db, db.deleteFrom('scimUsers').where('scimUserId', '=', scimUserId))

const maxWaiting = 10_000

/** Who waits, the oldest first, and not for a token that nobody answers for, or that is gone. */
export const listWaiting = (db: Db): Promise<(Key & { email: string })[]> =>
  db
    .selectFrom('scimUsers')
    .select(['organizationId', 'scimUserId', 'email'])
    .where('waits', '=', true)
    .where('active', '=', true)
    .where(sql<boolean>`(waits_for is null or token_stands(waits_for))`)
    .orderBy('organizationId')
    .orderBy('scimUserId')
    .limit(maxWaiting)
    .execute()
