import { directoryOf } from './directory.ts'
import type { TestApp } from './test-app.ts'

export type TestDirectory = Awaited<ReturnType<typeof directoryOf>>

/** The id of nothing. */
export const missing = '01900000-0000-7000-8000-000000000000'

/** A directory with two people in a group, and a group here that gives a service. */
export async function groupScene(portal: TestApp, seats: number | null = null) {
  const here = await directoryOf(portal)
  const people = [await here.created(), await here.created()] as const
  const { serviceId } = await portal.service()
  await portal.offer(here.organizationId, serviceId, seats)
  const { organizationId } = here
  const services = [{ serviceId }]
  const { groupId } = (await here.browser.post('/api/groups', { organizationId, name: 'Surgery', services })).json()
  const members = people.map(({ id }) => ({ value: id }))
  const { id } = (await here.call('POST', '/Groups', { displayName: 'Surgeons', externalId: 'g-1', members })).json()
  const decide = (body: object) => here.browser.put(`${here.url}/groups/${id}`, body)
  const map = (to: string) => decide({ becomes: 'group', groupId: to })
  return { here, people, serviceId, groupId: groupId as string, id: id as string, decide, map }
}

/** How many services each has. */
export const servicesOf = async ({ accountAt }: TestDirectory, people: readonly { email: string }[]) =>
  Promise.all(people.map(async ({ email }) => (await accountAt(email))?.services.length))

export const patchGroup = ({ call }: TestDirectory, id: string, ...Operations: object[]) =>
  call('PATCH', `/Groups/${id}`, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })

export const membersOf = async ({ call }: TestDirectory, id: string): Promise<string[]> =>
  (await call('GET', `/Groups/${id}`)).json().members.map(({ value }: { value: string }) => value)

/** The first group, as admins see it. */
export const shownGroup = async ({ browser, url }: TestDirectory) =>
  (await browser.get(`${url}/groups`)).json().items[0]

/** A group of the directory. @returns its id */
export const addGroup = async (
  { call }: TestDirectory,
  ids: readonly string[] = [],
  displayName = 'Surgeons',
): Promise<string> =>
  (await call('POST', '/Groups', { displayName, members: ids.map((value) => ({ value })) })).json().id

/** An admin's decision about it. */
export const decideGroup = ({ browser, url }: TestDirectory, id: string, body: object) =>
  browser.put(`${url}/groups/${id}`, body)

/** What the events of a name say about a target, the oldest first. */
export const changesOf = async (portal: TestApp, name: string, targetId: string): Promise<string[]> => {
  const { rows } = await portal.system.pool.query(
    'select changes from audit_events where name = $1 and target_id = $2 order by created_at, id',
    [name, targetId],
  )
  return rows.map(({ changes }) => JSON.stringify(changes))
}
