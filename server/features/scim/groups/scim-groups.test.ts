import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groupScene, membersOf, missing, patchGroup, servicesOf, shownGroup } from '#test/directory-groups.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

describe('a group of the directory that an admin has made a group here', () => {
  test('gives nothing before; what it gave ends with the decision, with each membership and with the group', async () => {
    const { here, people, groupId, id, decide, map } = await groupScene(portal)
    expect(await servicesOf(here, people)).toEqual([0, 0])
    expect((await map(groupId)).json()).toMatchObject({ name: 'Surgeons', people: 2, groupId, groupName: 'Surgery' })
    expect(await servicesOf(here, people)).toEqual([1, 1])
    const [first, second] = people.map((one) => one.id)
    // What Entra sends: a list of values, or a filter.
    expect((await patchGroup(here, id, { op: 'Remove', path: 'members', value: [{ value: first }] })).statusCode).toBe(
      204,
    )
    expect(await servicesOf(here, people)).toEqual([0, 1])
    expect(await here.logged()).toMatchObject({ about: 'Surgeons', deeds: ['members', 'changed'] })
    await patchGroup(here, id, { op: 'Add', path: 'members', value: [{ value: first }] })
    await patchGroup(here, id, { op: 'Remove', path: `members[value eq "${second}"]` })
    expect([await membersOf(here, id), await servicesOf(here, people)]).toEqual([[first], [1, 0]])
    await decide({ becomes: 'nothing' })
    expect(await servicesOf(here, people)).toEqual([0, 0])
    await map(groupId)
    expect(await servicesOf(here, people)).toEqual([1, 0])
    expect((await here.call('DELETE', `/Groups/${id}`)).statusCode).toBe(204)
    expect(await servicesOf(here, people)).toEqual([0, 0])
    const { rows } = await portal.system.pool.query(
      "select actor from audit_events where name = 'updateGroupMembers' and target_id = $1 order by created_at, id",
      [groupId],
    )
    const [admin, directory] = [here.admin.email, 'Entra (SCIM)']
    expect(rows.map(({ actor }) => actor)).toEqual([admin, directory, directory, directory, admin, admin, directory])
  })

  test('leaves alone what somebody has by hand or by another group of the directory', async () => {
    const { here, people, groupId, serviceId, id, decide, map } = await groupScene(portal)
    const [first, second] = people
    const { accountId } = await here.accountAt(first.email)
    await portal.assign(accountId, here.organizationId, serviceId)
    await map(groupId)
    const members = [{ value: second.id }]
    const other = (await here.call('POST', '/Groups', { displayName: 'On call', members })).json()
    await here.browser.put(`${here.url}/groups/${other.id}`, { becomes: 'group', groupId })
    await patchGroup(here, id, { op: 'Remove', path: 'members', value: [{ value: first.id }, { value: second.id }] })
    expect(await servicesOf(here, people)).toEqual([1, 1])
    await here.call('DELETE', `/Groups/${other.id}`)
    expect(await servicesOf(here, people)).toEqual([1, 0])
    await decide({ becomes: 'nothing' })
    expect(await servicesOf(here, people)).toEqual([1, 0])
  })

  test('takes in who comes back and who joins later, by whatever road', async () => {
    const { here, people, groupId, id, map } = await groupScene(portal)
    await map(groupId)
    const set = (active: boolean) => here.patch(people[0].id, { op: 'Replace', path: 'active', value: active })
    await set(false)
    expect(await servicesOf(here, people)).toEqual([undefined, 1].map((one) => one ?? 0))
    await set(true)
    expect(await servicesOf(here, people)).toEqual([1, 1])
    // Outside the proven domain somebody is invited, and comes in when they accept.
    const email = `outside-${here.organizationId}@elsewhere.example`
    const guest = await portal.person({ email })
    const sent = here.user({ userName: email, emails: [{ value: email, type: 'work' }] })
    const { id: guestId } = (await here.call('POST', '/Users', sent)).json()
    await patchGroup(here, id, { op: 'add', path: 'members', value: [{ value: guestId }] })
    expect((await here.accountAt(email)).services).toEqual([])
    await portal.join(guest.accountId, here.organizationId, 'regular', 'guest')
    expect((await here.accountAt(email)).services).toHaveLength(1)
  })

  test('waits for a seat, says so on the screen and in the log, and the directory gets no error', async () => {
    const { here, people, groupId, id, map } = await groupScene(portal, 1)
    await map(groupId)
    expect((await servicesOf(here, people)).sort()).toEqual([0, 1])
    const third = await here.created()
    expect((await patchGroup(here, id, { op: 'Add', path: 'members', value: [{ value: third.id }] })).statusCode).toBe(
      204,
    )
    expect(await here.logged()).toMatchObject({ deeds: ['members', 'noSeat', 'changed'] })
    expect(await shownGroup(here)).toMatchObject({ people: 3, waiting: 2 })
    // The seat goes to who waits.
    const holder = (await servicesOf(here, people)).indexOf(1)
    await here.patch(people[holder === 0 ? 0 : 1].id, { op: 'Replace', path: 'active', value: 'False' })
    expect(await shownGroup(here)).toMatchObject({ waiting: 1 })
  })
})

describe('a group of the directory that an admin has made', () => {
  test('services with roles gives them by a new group here, under a name that is free', async () => {
    const { here, people, serviceId, decide } = await groupScene(portal)
    const root = await portal.signedIn(await portal.person({ superUser: true }))
    const { roleId } = (await root.post('/api/service-roles', { serviceId, key: 'doctor', nameSv: 'Läkare' })).json()
    const services = [{ serviceId, roleIds: [roleId] }]
    expect((await decide({ becomes: 'services', name: 'surgery', services })).json().message).toBe('groupNameTaken')
    const answer = await decide({ becomes: 'services', name: 'Surgeons', services })
    expect(answer.json()).toMatchObject({ groupName: 'Surgeons', waiting: 0 })
    const { rows } = await portal.system.pool.query(
      'select email from current_service_roles join users using (account_id) where role_id = $1 order by 1',
      [roleId],
    )
    expect(rows.map(({ email }) => email)).toEqual(people.map(({ email }) => email))
    await decide({ becomes: 'nothing' })
    expect(await servicesOf(here, people)).toEqual([0, 0])
  })

  test('a role gives it while people are in, beside the roles by hand, and no longer', async () => {
    const { here, id, decide } = await groupScene(portal)
    const { organizationId } = here
    const email = `holder@${here.mailDomain}`
    const person = await portal.person({ email })
    const { accountId } = person
    await portal.join(accountId, organizationId, 'regular', 'guest')
    const holder = await portal.signedIn(person)
    const sent = here.user({ userName: email, emails: [{ value: email }] })
    const { id: value } = (await here.call('POST', '/Users', sent)).json()
    await patchGroup(here, id, { op: 'Add', path: 'members', value: [{ value }] })
    const read = async () => (await holder.get(`/api/organizations/${organizationId}/users`)).statusCode
    expect(await read()).toBe(403)
    expect((await decide({ becomes: 'role', role: 'reader' })).json()).toMatchObject({ role: 'reader', groupId: null })
    expect(await read()).toBe(200)
    // What a directory gives is not among what people change.
    const ofPerson = `/api/users/${accountId}/organization/${organizationId}/roles`
    expect((await here.browser.get(ofPerson)).json()).toEqual([])
    expect((await here.browser.post(ofPerson, { roles: [] })).statusCode).toBe(204)
    expect(await read()).toBe(200)
    await patchGroup(here, id, { op: 'Remove', path: `members[value eq "${value}"]` })
    expect(await here.logged()).toMatchObject({ deeds: ['holders', 'changed'] })
    expect(await read()).toBe(403)
    await patchGroup(here, id, { op: 'Add', path: 'members', value: { value } })
    expect(await read()).toBe(200)
    await here.call('DELETE', `/Groups/${id}`)
    expect(await read()).toBe(403)
  })

  test('an own role of the organisation ends with that role', async () => {
    const { here, decide } = await groupScene(portal)
    const { browser, organizationId } = here
    const form = { name: 'Planner', permissions: ['readPeople'] }
    const { roleId } = (await browser.post(`/api/organizations/${organizationId}/roles`, form)).json()
    expect((await decide({ becomes: 'role', role: roleId })).json()).toMatchObject({ roleName: 'Planner' })
    const { rows } = await portal.system.pool.query(
      'select distinct role from all_held_roles where organization_id = $1',
      [organizationId],
    )
    expect(rows).toEqual([{ role: roleId }])
    const list = (await browser.get(`/api/organizations/${organizationId}/roles`)).json()
    expect(list.find(({ role }: { role: string }) => role === roleId)).toMatchObject({ people: 2 })
    await browser.delete(`/api/organizations/${organizationId}/roles/${roleId}`)
    expect(await shownGroup(here)).toMatchObject({ role: null, roleName: null })
  })

  test('a role is asked of an admin who has it as long', async () => {
    const { here, decide } = await groupScene(portal)
    await portal.system.db
      .updateTable('memberships')
      .set({ roleUntil: '2099-12-31' })
      .where('accountId', '=', here.admin.accountId)
      .execute()
    expect((await decide({ becomes: 'role', role: 'reader' })).json().message).toBe('longerThanOwn')
  })
})

describe('a hostile directory', () => {
  test('puts in nobody of another directory, and finds out nothing about their groups', async () => {
    const [mine, other] = [await groupScene(portal), await groupScene(portal)]
    await mine.map(mine.groupId)
    const stranger = other.people[0].id
    const add = (value: unknown) => patchGroup(mine.here, mine.id, { op: 'Add', path: 'members', value: [{ value }] })
    // Somebody else's person is as unknown as nobody's.
    for (const value of [stranger, missing, 'x']) {
      expect((await add(value)).statusCode).toBe(204)
      expect(await mine.here.logged()).toMatchObject({
        deeds: ['unchanged'],
        notes: [{ attribute: 'members', reason: 'unknownMember' }],
      })
    }
    expect(await membersOf(mine.here, mine.id)).not.toContain(stranger)
    for (const id of [other.id, missing]) {
      const answers = [
        await mine.here.call('GET', `/Groups/${id}`),
        await mine.here.call('DELETE', `/Groups/${id}`),
        await patchGroup(mine.here, id, { op: 'replace', path: 'members', value: [] }),
        await mine.here.call('PUT', `/Groups/${id}`, { displayName: 'Mine now' }),
      ]
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404])
    }
    const filter = encodeURIComponent(`members.value eq "${stranger}"`)
    expect((await mine.here.call('GET', `/Groups?filter=${filter}`)).json().totalResults).toBe(0)
    expect(await membersOf(other.here, other.id)).toHaveLength(2)
  })

  test('has an admin who makes it neither another organisation’s group nor role, nor decides for that organisation', async () => {
    const [mine, other] = [await groupScene(portal), await groupScene(portal)]
    expect((await mine.map(other.groupId)).json().issues).toEqual([{ path: 'groupId', message: 'notFound' }])
    const { browser, organizationId } = other.here
    const form = { name: 'Planner', permissions: ['readPeople'] }
    const { roleId } = (await browser.post(`/api/organizations/${organizationId}/roles`, form)).json()
    expect((await mine.decide({ becomes: 'role', role: roleId })).json().issues).toEqual([
      { path: 'role', message: 'notFound' },
    ])
    const { here } = mine
    for (const [url, id, status] of [
      [here.url, other.id, 404],
      [other.here.url, other.id, 404],
    ] as const)
      expect((await here.browser.put(`${url}/groups/${id}`, { becomes: 'nothing' })).statusCode).toBe(status)
    // The database knows no such mapping either.
    await expect(
      portal.system.pool.query('update scim_groups set group_id = $1 where scim_group_id = $2', [
        other.groupId,
        mine.id,
      ]),
    ).rejects.toThrow('foreign key')
  })

  test('gives a super user nothing, who is a member', async () => {
    const { here, groupId, id, map } = await groupScene(portal)
    await map(groupId)
    const email = `operator@${here.mailDomain}`
    const operator = await portal.person({ email, superUser: true })
    await portal.join(operator.accountId, here.organizationId, 'regular', 'guest')
    const sent = here.user({ userName: email, emails: [{ value: email, type: 'work' }] })
    const { id: operatorId } = (await here.call('POST', '/Users', sent)).json()
    await patchGroup(here, id, { op: 'Add', path: 'members', value: [{ value: operatorId }] })
    expect(await membersOf(here, id)).toContain(operatorId)
    expect((await here.accountAt(email)).services).toEqual([])
  })
})
