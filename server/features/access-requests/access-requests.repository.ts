import { sql } from 'kysely'
import { type Actor, administeredServices } from '#contract/actor.ts'
import { can } from '#contract/permissions.ts'
import { currentAssignments, currentMemberships } from '#server/platform/database/current-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/ids.ts'

interface Wanted {
  accountId: string
  organizationId: string
  serviceId: string
}

/** Locks a person until the transaction ends, as every change of a person's services does. */
export const lockPerson = (db: Db, accountId: string) =>
  db.selectFrom('users').select('accountId').where('accountId', '=', accountId).forNoKeyUpdate().executeTakeFirst()

/** A service of an organisation that the person is a member of, and whether the person has it. */
export const findWanted = (db: Db, { accountId, organizationId, serviceId }: Wanted) =>
  db
    .selectFrom('organizationServices as os')
    .innerJoin('services as s', 's.serviceId', 'os.serviceId')
    .innerJoin('organizations as o', 'o.organizationId', 'os.organizationId')
    .innerJoin(currentMemberships, 'm.organizationId', 'os.organizationId')
    .leftJoin(currentAssignments, (join) =>
      join
        .onRef('a.accountId', '=', 'm.accountId')
        .onRef('a.organizationId', '=', 'os.organizationId')
        .onRef('a.serviceId', '=', 'os.serviceId'),
    )
    .select(['s.name as serviceName', 'o.name as organizationName', 's.requestable', 'a.serviceId as assigned'])
    .where('m.accountId', '=', accountId)
    .where('os.organizationId', '=', organizationId)
    .where('os.serviceId', '=', serviceId)
    .executeTakeFirst()

/** Opens a request, or opens a refused one again. @returns undefined when one is open already */
export const openRequest = (db: Db, wanted: Wanted, now: Date) =>
  db
    .insertInto('accessRequests')
    .values({ requestId: newId(), ...wanted, createdAt: now })
    .onConflict((present) =>
      present
        .columns(['accountId', 'organizationId', 'serviceId'])
        .doUpdateSet((row) => ({ requestId: row.ref('excluded.requestId'), refusedBecause: null, createdAt: now }))
        .where('accessRequests.refusedBecause', 'is not', null),
    )
    .returning('requestId')
    .executeTakeFirst()

const openRequests = (db: Db) =>
  db
    .selectFrom('accessRequests as r')
    .innerJoin('users as u', 'u.accountId', 'r.accountId')
    .innerJoin('organizations as o', 'o.organizationId', 'r.organizationId')
    .innerJoin('services as s', 's.serviceId', 'r.serviceId')
    .where('r.refusedBecause', 'is', null)

/** An open request, with what its mail and its audit event say. */
export const findOpenRequest = (db: Db, requestId: string) =>
  openRequests(db)
    .select(['r.requestId', 'r.accountId', 'r.organizationId', 'r.serviceId'])
    .select(['u.email', 'u.firstName', 'u.preferredLanguage', 'o.name as organizationName', 's.name as serviceName'])
    .where('r.requestId', '=', requestId)
    .executeTakeFirst()

export const refuseRequest = (db: Db, requestId: string, refusedBecause: string) =>
  db.updateTable('accessRequests').set({ refusedBecause }).where('requestId', '=', requestId).execute()

/** What an actor may answer: everything, or what concerns a service that the actor may hand out. */
function answerable(db: Db, actor: Actor) {
  const all = openRequests(db)
  if (can(actor, 'administerEverything')) return all
  const { organizations } = actor
  const own = organizations.filter((one) => can(actor, 'assignServices', one)).map((one) => one.organizationId)
  const administered = administeredServices(actor)
  return all.where(sql<boolean>`(r.organization_id = any (${own}::uuid[]) or (r.organization_id, r.service_id) in (
    select * from unnest(${administered.map((one) => one.organizationId)}::uuid[],
      ${administered.map((one) => one.serviceId)}::uuid[])))`)
}

interface Page {
  page: number
  sortDirection: 'asc' | 'desc'
}

/** The open requests that an actor may answer, oldest first unless asked otherwise. */
export async function listOpenRequests(db: Db, actor: Actor, { page, sortDirection }: Page, itemsPerPage: number) {
  const { totalCount } = await answerable(db, actor)
    .select(({ fn }) => fn.countAll<number>().as('totalCount'))
    .executeTakeFirstOrThrow()
  const rows = await answerable(db, actor)
    .innerJoin('organizationServices as os', (join) =>
      join.onRef('os.organizationId', '=', 'r.organizationId').onRef('os.serviceId', '=', 'r.serviceId'),
    )
    .select(['r.requestId', 'r.accountId', 'r.organizationId', 'r.serviceId', 'r.createdAt', 'u.email'])
    .select(['o.name as organizationName', 's.name as serviceName', 's.icon as serviceIcon'])
    .select(sql<string | null>`nullif(concat_ws(' ', u.first_name, u.last_name), '')`.as('name'))
    .select(sql<number | null>`os.max_number_of_users - os.seats_used`.as('seatsLeft'))
    .orderBy('r.createdAt', sortDirection)
    .orderBy('r.requestId')
    .limit(itemsPerPage)
    .offset((page - 1) * itemsPerPage)
    .execute()
  return {
    itemsPerPage,
    totalCount,
    items: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
  }
}

const isHolder = (organizationId: string) =>
  sql<boolean>`m.account_id in (select account_id from acting_holders(${organizationId}::uuid, array['assignServices']))`

/** Who can sign in and hand the service out there, without the person who asks. */
export const listAnswerers = (db: Db, { accountId, organizationId, serviceId }: Wanted) =>
  db
    .selectFrom(currentMemberships)
    .innerJoin('users as u', 'u.accountId', 'm.accountId')
    .leftJoin(currentAssignments, (join) =>
      join
        .onRef('a.accountId', '=', 'm.accountId')
        .onRef('a.organizationId', '=', 'm.organizationId')
        .on('a.serviceId', '=', serviceId)
        .on('a.userRole', '=', 'serviceAdmin'),
    )
    .select(['u.accountId', 'u.email', 'u.firstName', 'u.preferredLanguage'])
    .where('m.organizationId', '=', organizationId)
    .where('m.accountId', '<>', accountId)
    .where('u.pending', '=', false)
    .where('u.passiveAt', 'is', null)
    .where((where) =>
      where.or([
        isHolder(organizationId),
        where('a.serviceId', 'is not', null),
        sql<boolean>`exists (select from grants s where s.account_id = m.account_id
          and s.organization_id = m.organization_id and s.role = 'serviceOwner' and s.scope_id = ${serviceId})`,
      ]),
    )
    .orderBy('u.accountId')
    .execute()
