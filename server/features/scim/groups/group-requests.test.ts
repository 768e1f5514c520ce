import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { directoryOf } from '#test/directory.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

type Directory = Awaited<ReturnType<typeof directoryOf>>
const missing = '01900000-0000-7000-8000-000000000000'
const patch = ({ call }: Directory, id: string, ...Operations: object[]) =>
  call('PATCH', `/Groups/${id}`, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })
const group = async ({ call }: Directory, ids: readonly string[] = [], displayName = 'Surgeons'): Promise<string> =>
  (await call('POST', '/Groups', { displayName, members: ids.map((value) => ({ value })) })).json().id
const decide = ({ browser, url }: Directory, id: string, body: object) => browser.put(`${url}/groups/${id}`, body)
const shown = async ({ browser, url }: Directory) => (await browser.get(`${url}/groups`)).json().items[0]
const events = async (name: string, targetId: string) =>
  (
    await portal.system.pool.query(
      'select changes from audit_events where name = $1 and target_id = $2 order by created_at, id',
      [name, targetId],
    )
  ).rows.map(({ changes }) => changes)

describe('a request about members', () => {
  test('that is not understood is refused, and no part of it stands in the log', async () => {
    const here = await directoryOf(portal)
    const { id: value } = await here.created()
    const id = await group(here, [value])
    for (const path of ['[value eq "x" and kind eq "User"]', "[value eq 'x']", '[value eq x]', '.value'])
      expect((await patch(here, id, { op: 'remove', path: `members${path}` })).json().scimType).toBe('invalidPath')
    for (const one of [{ $ref: value }, {}, null, 7])
      expect((await patch(here, id, { op: 'remove', path: 'members', value: [one] })).json().scimType).toBe(
        'invalidValue',
      )
    await patch(here, id, { op: 'remove', path: 'owners[value eq 19811218]' })
    expect((await here.logged()).notes).toEqual([{ attribute: 'owners', reason: 'unknown' }])
    await patch(here, id, { op: 'remove', path: 'members', value: [{ Value: value }] })
    expect((await here.call('GET', `/Groups/${id}`)).json().members).toEqual([])
  })

  test('is refused beyond 10,000 members, and another group beyond 1,000', async () => {
    const here = await directoryOf(portal)
    const id = await group(here)
    await portal.system.pool.query(
      `with people as (insert into scim_users (scim_user_id, organization_id, user_name, attributes, active, email, created_at, updated_at)
        select gen_random_uuid(), $1, 'p' || n, '{}', false, 'p' || n || '@x.example', now(), now() from generate_series(1, 10000) n
        returning scim_user_id)
      insert into scim_group_members select $2, scim_user_id from people`,
      [here.organizationId, id],
    )
    const add = { op: 'add', path: 'members', value: [{ value: (await here.created()).id }] }
    expect((await patch(here, id, add)).json()).toMatchObject({ status: '400', scimType: 'tooMany' })
    const other = await group(here, [], 'Others')
    await portal.system.pool.query(
      'insert into scim_group_members select $2, scim_user_id from scim_group_members where scim_group_id = $1',
      [id, other],
    )
    const third = await group(here, [(await here.created()).id], 'Third')
    const page = async (more = '') => (await here.call('GET', `/Groups?count=200${more}`)).json()
    expect(await page()).toMatchObject({ totalResults: 3, itemsPerPage: 2 })
    expect((await page('&startIndex=3')).Resources).toMatchObject([{ id: third }])
    expect(await page('&excludedAttributes=members')).toMatchObject({ itemsPerPage: 3 })
    await portal.system.pool.query(
      `insert into scim_groups (scim_group_id, organization_id, display_name, created_at, updated_at)
        select gen_random_uuid(), $1, 'g' || n, now(), now() from generate_series(4, 1000) n`,
      [here.organizationId],
    )
    expect((await here.call('POST', '/Groups', { displayName: 'One more' })).statusCode).toBe(409)
  }, 60_000)
})

test('an event names everybody and the role; a mapped group says its new name and its end', async () => {
  const here = await directoryOf(portal)
  const people = [await here.created(), await here.created()]
  const id = await group(
    here,
    people.map((one) => one.id),
  )
  await decide(here, id, { becomes: 'role', role: 'reader' })
  const [moved] = await events('updateGroupMembers', id)
  expect(JSON.stringify(moved)).toContain('reader')
  for (const { email } of people) expect(JSON.stringify(moved)).toContain(email)
  await patch(here, id, { op: 'replace', path: 'displayName', value: 'Owners' })
  await here.call('DELETE', `/Groups/${id}`)
  const decisions = (await events('mapDirectoryGroup', id)).map((one) => JSON.stringify(one))
  expect(decisions).toHaveLength(3)
  expect(decisions[1]).toContain('Owners')
})

test('a decision about a group that the directory has changed since is refused', async () => {
  const here = await directoryOf(portal)
  const id = await group(here)
  const { version } = await shown(here)
  await patch(here, id, { op: 'replace', path: 'displayName', value: 'Owners' })
  const answer = await decide(here, id, { becomes: 'role', role: 'reader', version })
  expect([answer.statusCode, answer.json().message]).toEqual([409, 'changedByOthers'])
  expect((await decide(here, missing, { becomes: 'nothing' })).statusCode).toBe(404)
})

test('somebody who comes into a mapped group by joining has an event that names what they got', async () => {
  const here = await directoryOf(portal)
  const email = `joiner@${here.mailDomain}`
  const { accountId } = await portal.person({ email })
  await portal.join(accountId, here.organizationId, 'regular', 'guest')
  const { id: personId } = await here.created({ userName: email, emails: [{ value: email }], active: false })
  const id = await group(here, [personId])
  await decide(here, id, { becomes: 'role', role: 'reader' })
  expect(await events('updateGroupMembers', id)).toEqual([])
  await here.patch(personId, { op: 'Replace', path: 'active', value: true })
  const all = (await events('updateGroupMembers', id)).map((one) => JSON.stringify(one))
  expect(all).toHaveLength(1)
  expect(all[0]).toContain('reader')
  expect(all[0]).toContain(email)
})

test('a query with unknown names is answered as without them, and the log has the names alone', async () => {
  const here = await directoryOf(portal)
  expect((await here.call('GET', '/Groups?secret=198112189876&count=0')).statusCode).toBe(200)
  const noted = { method: 'GET', status: 200, notes: [{ attribute: 'secret', reason: 'unknown' }] }
  expect(await here.logged()).toMatchObject(noted)
  const id = await group(here)
  await here.call('DELETE', `/Groups/${id}?purge=yes`)
  expect(await here.logged()).toMatchObject({ method: 'DELETE', notes: [{ attribute: 'purge', reason: 'unknown' }] })
  const { id: personId } = await here.created()
  await here.call('GET', `/Users/${personId}?$select=userName`)
  expect(await here.logged()).toMatchObject({ method: 'GET', notes: [{ attribute: '$select', reason: 'unknown' }] })
})

test('what the server says about itself is asked with unknown names, too, and the log has them', async () => {
  const here = await directoryOf(portal)
  const schema = 'Schemas/urn:ietf:params:scim:schemas:core:2.0:User'
  for (const path of ['ServiceProviderConfig', 'ResourceTypes', 'ResourceTypes/User', 'Schemas', schema]) {
    expect((await here.call('GET', `/${path}?tenant=secret`)).statusCode).toBe(200)
    expect(await here.logged()).toMatchObject({ method: 'GET', status: 200, notes: [{ attribute: 'tenant' }] })
  }
  const { totalCount } = (await here.browser.get(`${here.url}/log`)).json()
  expect(totalCount).toBe(5)
})
