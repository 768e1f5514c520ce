import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { directoryOf } from '#test/directory.ts'
import {
  addGroup,
  changesOf,
  decideGroup,
  groupScene,
  patchGroup,
  servicesOf,
  shownGroup,
} from '#test/directory-groups.ts'
import { factorsOf } from '#test/factors.ts'
import { invitationsOf, invitePath } from '#test/invitations.ts'
import { type Person, testPassword } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let invites: ReturnType<typeof invitationsOf>
beforeAll(async () => {
  portal = await testApp()
  invites = invitationsOf(portal)
})
afterAll(() => portal?.close())

const actorsOf = async (targetId: string): Promise<(string | null)[]> => {
  const { rows } = await portal.system.pool.query(
    "select actor from audit_events where name = 'updateGroupMembers' and target_id = $1 order by created_at, id",
    [targetId],
  )
  return rows.map(({ actor }) => actor)
}

/** A directory of an organisation whose people sign in with a password, with somebody whom it has invited, in a mapped group and role. */
async function invited() {
  const scene = await groupScene(portal)
  const { here, groupId, map } = scene
  await map(groupId)
  await portal.system.db
    .updateTable('organizations')
    .set({ loginMethod: 'local', samlConfigId: null })
    .where('organizationId', '=', here.organizationId)
    .execute()
  const email = `newcomer-${here.organizationId}@elsewhere.example`
  const { id } = (await here.call('POST', '/Users', here.user({ userName: email, emails: [{ value: email }] }))).json()
  await patchGroup(here, scene.id, { op: 'Add', path: 'members', value: [{ value: id }] })
  const readers = await addGroup(here, [id], 'Readers')
  await decideGroup(here, readers, { becomes: 'role', role: 'reader' })
  return { ...scene, email, readers }
}

describe('an event names what somebody gets by groups of the directory', () => {
  test('who accepts an invitation by mail', async () => {
    const { here, groupId, email, readers } = await invited()
    const before = (await changesOf(portal, 'updateGroupMembers', groupId)).length
    expect((await invites.accept(email, await invites.mailedToken(email))).statusCode).toBe(204)
    expect(await servicesOf(here, [{ email }])).toEqual([1])
    const inGroup = (await changesOf(portal, 'updateGroupMembers', groupId)).slice(before)
    expect(inGroup).toEqual([expect.stringContaining(email)])
    const holds = await changesOf(portal, 'updateGroupMembers', readers)
    expect(holds).toEqual([expect.stringContaining(email)])
    expect(holds[0]).toContain('reader')
    // Nobody acted: the acceptance has an event of its own.
    expect((await actorsOf(readers)).at(-1)).toBeNull()
  })

  test('who has accepted by a shown link, and proves the address later', async () => {
    const { here, groupId, email, readers } = await invited()
    const before = (await changesOf(portal, 'updateGroupMembers', groupId)).length
    const shown = await invites.shownToken(here.browser, email, here.organizationId)
    const chosen = { password: testPassword, confirmNewPassword: testPassword }
    expect((await invites.accept(email, shown, chosen)).statusCode).toBe(204)
    expect([await servicesOf(here, [{ email }]), await changesOf(portal, 'updateGroupMembers', readers)]).toEqual([
      [0],
      [],
    ])
    await portal.system.db.updateTable('users').set({ loginMethod: 'local2FA' }).where('email', '=', email).execute()
    await factorsOf(portal).signedInByMail({ email } as Person)
    expect(await servicesOf(here, [{ email }])).toEqual([1])
    expect((await changesOf(portal, 'updateGroupMembers', groupId)).length).toBe(before + 1)
    expect(await changesOf(portal, 'updateGroupMembers', readers)).toEqual([expect.stringContaining(email)])
  })

  test('whom the directory lets come back: the directory did it', async () => {
    const { here, people, groupId, map } = await groupScene(portal)
    await map(groupId)
    for (const value of ['False', 'True']) await here.patch(people[0].id, { op: 'Replace', path: 'active', value })
    const all = await changesOf(portal, 'updateGroupMembers', groupId)
    expect(all.filter((one) => one.includes('peopleAdded'))).toHaveLength(2)
    expect((await actorsOf(groupId)).at(-1)).toBe('Entra (SCIM)')
  })
})

test('the link of an invitation is shown to who could put its person in the groups where the directory has them, and to nobody else', async () => {
  const { here, email } = await invited()
  const clerk = await portal.person()
  await portal.join(clerk.accountId, here.organizationId, 'regular', 'joined')
  await portal.system.db
    .insertInto('allGrants')
    .values({ accountId: clerk.accountId, organizationId: here.organizationId, roleKey: 'personnelAdministrator' })
    .execute()
  const browser = await portal.signedIn(clerk)
  const other = `other-${here.organizationId}@elsewhere.example`
  await here.call('POST', '/Users', here.user({ userName: other, emails: [{ value: other }] }))
  const read = async (by: typeof browser, of: string) => (await by.get(invitePath(of, here.organizationId))).statusCode
  expect([await read(browser, other), await read(browser, email), await read(here.browser, email)]).toEqual([
    200, 403, 200,
  ])
})

test('a group whose member is deleted or renamed has another version', async () => {
  const { here, people, id } = await groupScene(portal)
  const versionOf = async () => (await here.call('GET', `/Groups/${id}`)).headers.etag
  const versions = [await versionOf()]
  await here.patch(people[0].id, { op: 'Replace', path: 'title', value: 'Nurse' })
  expect(await versionOf()).toBe(versions[0])
  await here.patch(people[0].id, { op: 'Replace', path: 'userName', value: `renamed-${people[0].id}` })
  versions.push(await versionOf())
  await here.call('DELETE', `/Users/${people[1].id}`)
  versions.push(await versionOf())
  expect(new Set(versions).size).toBe(3)
})

test('the decision says whom it reaches: how many, the first of them, and how many later', async () => {
  const { here, id } = await groupScene(portal)
  for (let more = 0; more < 3; more++) {
    const { id: value } = await here.created({ active: more < 2 })
    await patchGroup(here, id, { op: 'Add', path: 'members', value: [{ value }] })
  }
  const { people, reached, names } = await shownGroup(here)
  expect([people, reached, names.length]).toEqual([5, 4, 3])
  expect(names).toEqual([...names].sort())
})

test('the groups are shown by pages', async () => {
  const here = await directoryOf(portal)
  for (let number = 10; number < 37; number++) await addGroup(here, [], `Group ${number}`)
  const page = async (number: number) => (await here.browser.get(`${here.url}/groups?page=${number}`)).json()
  expect(await page(1)).toMatchObject({ totalCount: 27, itemsPerPage: 25 })
  expect((await page(2)).items.map(({ name }: { name: string }) => name)).toEqual(['Group 35', 'Group 36'])
})

test('requests at once that lock groups and people in opposite order all succeed', async () => {
  const { here, people, groupId, id, map } = await groupScene(portal)
  await map(groupId)
  const other = await addGroup(here, [people[1].id, people[0].id], 'Others')
  await decideGroup(here, other, { becomes: 'group', groupId })
  const [first, second] = people
  const value = (...ids: string[]) => ids.map((one) => ({ value: one }))
  for (let round = 0; round < 6; round++) {
    const op = round % 2 === 0 ? 'Remove' : 'Add'
    const active = round % 2 === 1
    const answers = await Promise.all([
      patchGroup(here, id, { op, path: 'members', value: value(first.id, second.id) }),
      here.patch(second.id, { op: 'Replace', path: 'active', value: active }),
      patchGroup(here, other, { op, path: 'members', value: value(second.id, first.id) }),
      here.patch(first.id, { op: 'Replace', path: 'active', value: active }),
      decideGroup(here, id, round % 3 === 0 ? { becomes: 'nothing' } : { becomes: 'group', groupId }),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 200, 204, 200, 200])
  }
  await map(groupId)
  expect(await servicesOf(here, people)).toEqual([1, 1])
})
