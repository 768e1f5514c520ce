import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maxRolesInFile } from '#contract/service-roles/role-files.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf } from '#test/invitations.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let serviceId: string
beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())
beforeEach(async () => {
  serviceId = (await portal.service('Journal')).serviceId
})

const address = () => `/api/services/${serviceId}/roles`
const role = (key: string, more: object = {}) => ({ key, nameSv: `Roll ${key}`, ...more })
const send = (roles: unknown, more: object = {}) => root.put(address(), { roles, ...more })
const preview = async (roles: unknown) => (await root.post(`${address()}/dry-run`, { roles })).json()
const file = async () => (await root.get(address())).json() as { roles: { key: string }[]; version: number }
const keys = async () => (await file()).roles.map(({ key }) => key)
const events = async () => {
  const { rows } = await portal.system.pool.query(
    `select name, target from audit_events e where exists (
       select from service_roles r where r.service_id = $1 and r.role_id::text = e.target_id::text) order by e.id`,
    [serviceId],
  )
  return rows.map(({ name, target }) => `${name} ${target}`)
}
const refusal = ({ statusCode, json }: Awaited<ReturnType<Client['put']>>) => {
  const { message, issues = [] } = json()
  return [statusCode, message, ...issues.map(({ path, message }: Record<string, string>) => `${path} ${message}`)]
}

/** A person who has the service, in an organisation. */
async function holder() {
  const { browser, organizationId } = await invitationsOf(portal).organizationWithAdmin()
  await portal.offer(organizationId, serviceId)
  const { accountId } = await portal.person()
  await portal.join(accountId, organizationId)
  await portal.assign(accountId, organizationId, serviceId)
  const roleId = async (key: string) =>
    (await root.get(`/api/service-roles?serviceId=${serviceId}`)).json().find((one: { key: string }) => one.key === key)
      .roleId
  const at = `/api/users/${accountId}/organization/${organizationId}/service/${serviceId}/roles`
  return {
    give: async (...wanted: string[]) => browser.post(at, { roleIds: await Promise.all(wanted.map(roleId)) }),
  }
}

describe('a file with all roles of a service', () => {
  test('adds, changes and removes them at once, as it was told before, with an event for each', async () => {
    await send([role('doctor'), role('nurse', { descriptionEn: 'Helps' }), role('cook')])
    const { give } = await holder()
    expect((await give('cook')).statusCode).toBe(204)
    const next = [
      role('doctor', { nameFr: 'Médecin', excludes: ['judge'] }),
      role('nurse', { descriptionEn: 'Helps' }),
      role('judge'),
    ]
    const before = await file()
    const told = await preview(next)
    expect(told).toEqual({
      changes: [
        { key: 'judge', nameSv: 'Roll judge', outcome: 'added', fields: [], people: 0 },
        { key: 'doctor', nameSv: 'Roll doctor', outcome: 'changed', fields: ['nameFr', 'excludes'], people: 0 },
        { key: 'cook', nameSv: 'Roll cook', outcome: 'removed', fields: [], people: 1 },
      ],
      unchanged: 1,
      version: before.version,
    })
    expect(await file()).toEqual(before)
    expect((await send(next, { version: told.version })).statusCode).toBe(200)
    expect((await keys()).sort()).toEqual(['doctor', 'judge', 'nurse'])
    expect(await events()).toEqual([
      'createServiceRole doctor',
      'createServiceRole nurse',
      'createServiceRole cook',
      'deleteServiceRole cook',
      'updateServiceRole doctor',
      'createServiceRole judge',
    ])
  })

  test('that was exported changes nothing, with whatever it says', async () => {
    const full = {
      ...{ nameEn: 'Doctor', nameFi: 'Lääkäri', nameFr: 'Médecin' },
      ...{ descriptionSv: 'Läser', descriptionEn: 'Reads', descriptionFi: 'Lukee', descriptionFr: 'Lit' },
      ...{ needsTwoFactors: true, maxPeople: 3, excludes: ['nurse'] },
    }
    expect([await file(), await preview([])]).toMatchObject([{ roles: [] }, { changes: [], unchanged: 0 }])
    await send([role('doctor', full), role('nurse')])
    const exported = await file()
    expect(exported.roles).toContainEqual(role('doctor', full))
    const made = await events()
    expect(await preview(exported.roles)).toMatchObject({ changes: [], unchanged: 2 })
    expect((await root.put(address(), exported)).json()).toEqual(exported)
    expect(await events()).toEqual(made)
  })

  test('brings no removed role back: it says which row, and changes nothing', async () => {
    await send([role('doctor'), role('nurse')])
    await send([role('doctor')])
    const again = await send([role('cook'), role('nurse')])
    expect(refusal(again)).toEqual([422, 'validationFailed', 'roles.1.key roleKeyUsed'])
    expect(again.json().issues[0].detail).toBe('nurse')
    expect(await preview([role('nurse')])).toMatchObject({ issues: [{ path: 'roles.0.key', message: 'roleKeyUsed' }] })
    expect(await keys()).toEqual(['doctor'])
  })

  test('is refused by row where a key is there twice, nobody knows it, a name is missing, or a value is wrong', async () => {
    await send([role('doctor')])
    const made = await events()
    const tooMany = Array.from({ length: maxRolesInFile + 1 }, (_, number) => role(`r${number}`))
    for (const [roles, ...wanted] of [
      [[role('a'), role('b'), role('a')], 'roles.2.key roleKeyTwice'],
      [[role('a', { excludes: ['b', 'c'] }), role('b')], 'roles.0.excludes.1 roleKeyUnknown'],
      [[role('a', { excludes: ['a'] })], 'roles.0.excludes.0 roleKeyUnknown'],
      [[role('a'), { key: 'b' }], 'roles.1.nameSv required'],
      [[role('a', { nameSv: '' })], 'roles.0.nameSv required'],
      [[role('a', { nameFi: 7 })], 'roles.0.nameFi invalidText'],
      [[role('superUser')], 'roles.0.key reservedRoleKey'],
      [
        [role('a', { maxPeople: 0 }), role('b', { maxPeople: '3' })],
        'roles.0.maxPeople invalidNumber',
        'roles.1.maxPeople invalidNumber',
      ],
      [[role('a', { color: 'red' })], 'roles.0.color unknownField'],
      [tooMany, 'roles tooManyRoles'],
    ] as const)
      for (const answer of [await send(roles), await root.post(`${address()}/dry-run`, { roles })])
        expect(refusal(answer)).toEqual([422, 'validationFailed', ...wanted])
    for (const roles of ['doctor', { doctor: {} }, null]) expect((await send(roles)).statusCode).toBe(422)
    expect((await send([role('a', { descriptionSv: 'x'.repeat(1_100_000) })])).statusCode).toBe(413)
    expect([await keys(), await events()]).toEqual([['doctor'], made])
  })

  test('makes no rule that somebody breaks already', async () => {
    await send([role('doctor'), role('judge')])
    for (const { give } of [await holder(), await holder()]) await give('doctor', 'judge')
    const { give } = await holder()
    await give('doctor')
    expect(refusal(await send([role('judge'), role('doctor', { excludes: ['judge'] })]))).toEqual([
      ...[422, 'validationFailed', 'roles.1.excludes rolesHeldTogether'],
    ])
    expect((await send([role('judge'), role('doctor', { maxPeople: 1 })])).statusCode).toBe(200)
  })

  test('is refused where somebody has changed a role since it was shown', async () => {
    await send([role('doctor')])
    const { version } = await preview([role('nurse')])
    await root.post('/api/service-roles', { serviceId, ...role('cook') })
    expect(refusal(await send([role('nurse')], { version }))).toEqual([409, 'changedByOthers'])
    expect((await keys()).sort()).toEqual(['cook', 'doctor'])
  })

  test('of two that come at once, counts whole: the second one takes back what only the first one has', async () => {
    const answers = await Promise.all([send([role('doctor'), role('nurse')]), send([role('judge'), role('cook')])])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect([
      ['doctor', 'nurse'],
      ['cook', 'judge'],
    ]).toContainEqual((await keys()).sort())
  })
})
