import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { type Directory, directoryOf } from '#test/directory.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { createScimJob } from './scim-job.ts'

// What a directory's token may do depends on who answers for it, at each use (product-rules 15.10).

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '100000/60' })
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

let people = 0
let here: Directory
/** An admin who stays, and a member; the directory has them all. */
let scene: {
  colleague: { accountId: string; email: string }
  browser: Client
  colleagueId: string
  memberId: string
  member: string
}
beforeEach(async () => {
  here = await directoryOf(portal)
  const colleague = await joined('organizationAdmin')
  const member = await here.created()
  scene = {
    colleague,
    browser: await portal.signedIn(colleague),
    colleagueId: await sent(colleague.email),
    memberId: member.id,
    member: member.email,
  }
})

async function joined(role: 'regular' | 'organizationAdmin') {
  const person = await portal.person({ email: `colleague${++people}@${here.mailDomain}` })
  await portal.join(person.accountId, here.organizationId, role, 'guest')
  return person
}
const sent = async (email: string): Promise<string> =>
  (await here.call('POST', '/Users', here.user({ userName: email, emails: [{ value: email }] }))).json().id
const setActive = async (id: string, active: boolean) =>
  (await here.patch(id, { op: 'Replace', path: 'active', value: active })).statusCode
const isMember = async (email: string) => Boolean((await here.accountAt(email))?.role)
const query = (text: string, values: unknown[]) => portal.system.pool.query(text, values)
const runJob = () => createScimJob({ ...portal.system, clock: portal.system.clock }).run()
const tokens = async (browser: Client) => (await browser.get(here.url)).json().tokens
const confirm = async (browser: Client) =>
  (await browser.post(`${here.url}/tokens/${(await tokens(browser))[0].tokenId}/confirm`)).statusCode

const inHere = (text: string) => () => query(text, [here.admin.accountId, here.organizationId])
const waysOut: Record<string, () => Promise<unknown>> = {
  'is removed from the organisation': () =>
    scene.browser.delete(`/api/users/${here.admin.accountId}/organization/${here.organizationId}`),
  'is made a regular member': () =>
    scene.browser.post(`/api/users/${here.admin.accountId}/organization/${here.organizationId}/service`, {
      userRole: 'regular',
      services: [],
    }),
  'is left with a lesser role': async () => {
    await inHere(`update memberships set user_role = 'regular' where account_id = $1 and organization_id = $2`)()
    await inHere(
      `insert into all_grants (account_id, organization_id, role_key) values ($1, $2, 'personnelAdministrator')`,
    )()
  },
  'loses the account': () => root.delete(`/api/users/${here.admin.accountId}`),
  'becomes passive': () => query('update users set passive_at = now() where account_id = $1', [here.admin.accountId]),
  'comes to the last day of the role': inHere(
    `update memberships set role_from = '2020-01-01', role_until = access_day() - 1 where account_id = $1 and organization_id = $2`,
  ),
  'comes to the last day of the membership': inHere(
    `update memberships set valid_until = access_day() - 1 where account_id = $1 and organization_id = $2`,
  ),
  'is ended by the directory': async () => setActive(await sent(here.admin.email), false),
}

describe.each(Object.keys(waysOut))('the token of an admin who %s', (way) => {
  beforeEach(async () => {
    await waysOut[way]?.()
  })

  test('ends and changes nobody with rights, and is told so', async () => {
    expect(await setActive(scene.colleagueId, false)).toBe(403)
    const named = await here.patch(scene.colleagueId, { op: 'Replace', path: 'name.givenName', value: 'Mallory' })
    const gone = await here.call('DELETE', `/Users/${scene.colleagueId}`)
    expect([named.statusCode, gone.statusCode, gone.json().detail !== undefined]).toEqual([403, 403, true])
    expect(await here.accountAt(scene.colleague.email)).toMatchObject({ role: 'organizationAdmin' })
    expect((await scene.browser.get(`${here.url}/log`)).json().items[0]).toMatchObject({
      ...{ method: 'DELETE', status: 403, problem: 'scimTokenUnconfirmed' },
    })
  })

  test('brings in nobody, by whatever road, also not later', async () => {
    const [outside, inside] = [`stranger${++people}@elsewhere.example`, `new${people}@${here.mailDomain}`]
    await here.call('POST', '/Users', here.user({ userName: outside, emails: [{ value: outside }] }))
    await here.call('POST', '/Users', here.user({ userName: inside, emails: [{ value: inside }] }))
    expect(await setActive(scene.memberId, false)).toBe(200)
    expect(await setActive(scene.memberId, true)).toBe(200)
    await runJob()
    expect([await isMember(inside), await isMember(scene.member)]).toEqual([false, false])
    const { rows } = await query('select email from invitations where organization_id = $1', [here.organizationId])
    expect(rows).toEqual([])
    expect((await scene.browser.get(`${here.url}/log`)).json().items[0].deeds).toContain('unconfirmed')
  })

  test('goes on ending members, and is named with what it needs', async () => {
    expect(await setActive(scene.memberId, false)).toBe(200)
    expect(await isMember(scene.member)).toBe(false)
    const [token] = await tokens(scene.browser)
    const isGone = way === 'loses the account'
    expect(token).toMatchObject({ stands: false, byOperator: false, madeBy: isGone ? null : here.admin.email })
  })

  test('has the right of a present admin who confirms it, and who waited comes in', async () => {
    const waiting = await here.created()
    expect(await isMember(waiting.email)).toBe(false)
    expect(await confirm(scene.browser)).toBe(204)
    await runJob()
    expect([await isMember(waiting.email), await setActive(scene.colleagueId, false)]).toEqual([true, 200])
  })
})

test('the same request from a token that stands does all of it', async () => {
  const one = await here.created()
  expect([await setActive(scene.colleagueId, false), await isMember(scene.colleague.email)]).toEqual([200, false])
  expect(await isMember(one.email)).toBe(true)
  expect((await tokens(here.browser))[0]).toMatchObject({ stands: true, madeBy: here.admin.email })
})

test('the power follows the maker: who is an admin again answers for it again', async () => {
  await waysOut['is made a regular member']?.()
  const waiting = await here.created()
  expect(await setActive(scene.colleagueId, false)).toBe(403)
  await inHere(
    `update memberships set user_role = 'organizationAdmin' where account_id = $1 and organization_id = $2`,
  )()
  await runJob()
  expect([await isMember(waiting.email), await setActive(scene.colleagueId, false)]).toEqual([true, 200])
})

test('who has confirmed a token answers for it alone: it does not fall back to its maker', async () => {
  expect(await confirm(scene.browser)).toBe(204)
  await query('update memberships set user_role = $2 where account_id = $1', [scene.colleague.accountId, 'regular'])
  await here.created()
  expect((await tokens(here.browser))[0].stands).toBe(false)
  expect(await confirm(here.browser)).toBe(204)
  expect((await tokens(here.browser))[0].stands).toBe(true)
})

test('nobody else confirms a token: no lesser role, no member, no admin of another organisation, and never another one’s token', async () => {
  const [{ tokenId }] = await tokens(scene.browser)
  const other = await directoryOf(portal)
  const helper = await joined('regular')
  await query(
    `insert into all_grants (account_id, organization_id, role_key) values ($1, $2, 'personnelAdministrator')`,
    [helper.accountId, here.organizationId],
  )
  const at = `${here.url}/tokens/${tokenId}/confirm`
  const answers = [
    await (await portal.signedIn(helper)).post(at),
    await other.browser.post(at),
    await other.browser.post(`${other.url}/tokens/${tokenId}/confirm`),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 404, 404])
})

describe('who waits for a token that stands no more', () => {
  test('never comes in when it is revoked instead', async () => {
    await waysOut['is made a regular member']?.()
    const waiting = await here.created()
    const [{ tokenId }] = await tokens(scene.browser)
    await scene.browser.delete(`${here.url}/tokens/${tokenId}`)
    await runJob()
    expect(await isMember(waiting.email)).toBe(false)
  })

  test('comes in by an admin who tries again in the log', async () => {
    await waysOut['is made a regular member']?.()
    const waiting = await here.created()
    const [{ retry }] = (await scene.browser.get(`${here.url}/log`)).json().items
    expect((await scene.browser.post(`${here.url}/people/${retry}/retry`)).statusCode).toBe(204)
    expect(await isMember(waiting.email)).toBe(true)
  })
})

describe('somebody with any right', () => {
  const rights: Record<string, (accountId: string) => Promise<unknown>> = {
    'a role that begins later': (id) =>
      query(
        `insert into all_grants (account_id, organization_id, role_key, valid_from) values ($1, $2, 'auditor', access_day() + 1)`,
        [id, here.organizationId],
      ),
    'the administration of a service': async (id) => {
      const { serviceId } = await portal.service()
      await portal.offer(here.organizationId, serviceId)
      await portal.assign(id, here.organizationId, serviceId, 'serviceAdmin')
    },
    'the responsibility for a service': async (id) => {
      const { serviceId } = await portal.service()
      await portal.offer(here.organizationId, serviceId)
      await query(
        "insert into all_grants (account_id, organization_id, service_id, role_key) values ($1, $2, $3, 'serviceOwner')",
        [...[id, here.organizationId, serviceId]],
      )
    },
  }
  test.each(Object.keys(rights))('%s is out of its reach', async (right) => {
    const person = await joined('regular')
    const id = await sent(person.email)
    await rights[right]?.(person.accountId)
    await waysOut['is made a regular member']?.()
    expect([await setActive(id, false), await isMember(person.email)]).toEqual([403, true])
  })

  test('is not taken out of a group of the directory that gives something, and the group stays', async () => {
    const { id } = (
      await here.call('POST', '/Groups', {
        displayName: 'HR',
        members: [{ value: scene.colleagueId }, { value: scene.memberId }],
      })
    ).json()
    await here.browser.put(`${here.url}/groups/${id}`, { becomes: 'role', role: 'reader' })
    await waysOut['is made a regular member']?.()
    const take = (value: string) =>
      here.call('PATCH', `/Groups/${id}`, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'remove', path: `members[value eq "${value}"]` }],
      })
    const answers = [
      await take(scene.colleagueId),
      await here.call('PUT', `/Groups/${id}`, { displayName: 'HR', members: [] }),
      await here.call('DELETE', `/Groups/${id}`),
      // What the directory gave a member, it takes back.
      await take(scene.memberId),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 204])
    const { rows } = await query('select account_id as id from all_held_roles where organization_id = $1', [
      here.organizationId,
    ])
    expect(rows).toEqual([{ id: scene.colleague.accountId }])
  })

  test('who is invited as an admin stays invited', async () => {
    const email = `next${++people}@${here.mailDomain}`
    const id = await sent(email)
    await query('delete from users where email = $1', [email])
    const { organizationId } = here
    await scene.browser.post('/api/invites', { organizationId, email })
    const { rows } = await query('select invitation_id as id from invitations where email = $1', [email])
    await scene.browser.post(`/api/users/${rows[0].id}/organization/${organizationId}/service`, {
      ...{ userRole: 'organizationAdmin', services: [] },
    })
    await waysOut['is made a regular member']?.()
    const invited = async () => (await query('select from invitations where email = $1', [email])).rowCount
    expect([await invited(), await setActive(id, false), await invited()]).toEqual([1, 403, 1])
  })
})

describe('a token that a set-up link made', () => {
  test.each([
    ['an admin', () => here.browser, () => waysOut['is made a regular member']?.()],
    [
      'the operator',
      async () => {
        const operator = await portal.person({ superUser: true })
        lastOperator = operator.accountId
        return portal.signedIn(operator)
      },
      () => query('update users set super_user = false where account_id = $1', [lastOperator]),
    ],
  ] as const)('has the right of %s, who made the link, also when the link is gone', async (who, maker, dismiss) => {
    const { url } = (await (await maker()).post(`${here.url}/setup-links`, {})).json()
    const token = url.split('/saml-setup/')[1]
    const anybody = portal.browser()
    await anybody.post('/api/saml-setup/directory/tokens', { token, name: 'By link' })
    await query('delete from saml_setups where organization_id = $1', [here.organizationId])
    const byLink = async () => (await tokens(scene.browser)).find(({ name }: { name: string }) => name === 'By link')
    const madeBy = who === 'an admin' ? here.admin.email : null
    const shown = { madeBy, byOperator: who !== 'an admin' }
    expect(await byLink()).toMatchObject({ ...shown, stands: true })
    await dismiss()
    expect(await byLink()).toMatchObject({ ...shown, stands: false })
  })
  let lastOperator = ''
})

test('an organisation learns no name of the operator’s people, who read it themselves', async () => {
  await query('delete from scim_tokens where organization_id = $1', [here.organizationId])
  await root.post(`${here.url}/tokens`, { name: 'Operator', days: '90' })
  const seen = await tokens(scene.browser)
  expect(seen).toMatchObject([{ madeBy: null, byOperator: true, stands: true }])
  expect((await tokens(root))[0].madeBy).toContain('@')
})
