import { putInGroup } from '#server/accounts/groups.repository.ts'
import { currentMemberships } from '#server/platform/database/current-access.ts'
import { newId } from '#server/platform/ids.ts'
import { found } from '#server/platform/problem.ts'
import type { DemoLoad } from './demo-load.ts'

const organization = 'Fjällrå AB'
const demoGroups = [
  // Some wait for a seat: the organisation has ten of Arkiv.
  { name: 'Fältpersonal', services: ['Arkiv', 'Bokning'], people: 12 },
  { name: 'Ekonomi', services: ['Lön'], people: 4 },
] as const

/** Two groups of one organisation. @returns their ids by name */
export async function addGroups(
  { db }: DemoLoad,
  organizationIds: ReadonlyMap<string, string>,
  serviceIds: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const organizationId = found(organizationIds.get(organization))
  const people = await db
    .selectFrom(currentMemberships)
    .select('m.accountId')
    .where('m.organizationId', '=', organizationId)
    .orderBy('m.email')
    .execute()
  const ids = new Map<string, string>()
  for (const { name, services, people: count } of demoGroups) {
    const groupId = newId()
    ids.set(name, groupId)
    await db.insertInto('groups').values({ groupId, organizationId, name }).execute()
    await db
      .insertInto('groupServices')
      .values(services.map((service) => ({ groupId, organizationId, serviceId: found(serviceIds.get(service)) })))
      .execute()
    const accountIds = people.slice(-count).map(({ accountId }) => accountId)
    await putInGroup(db, { groupId, organizationId, source: 'hand' }, accountIds)
  }
  return ids
}
