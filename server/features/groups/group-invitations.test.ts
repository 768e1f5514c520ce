import { afterAll, beforeAll, expect, test } from 'vitest'
import { groupsOf } from '#test/group-home.ts'
import { invite, newEmail } from '#test/invitations.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let groups: ReturnType<typeof groupsOf>
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  groups = groupsOf(portal)
})
afterAll(() => portal?.close())

test('somebody invited gets the group with the days that were set, also when these were set later', async () => {
  const home = await groups.newHome({ people: 0 })
  const groupId = await home.create()
  const email = newEmail()
  expect((await invite(home.browser, home.organizationId, email)).statusCode).toBeLessThan(300)
  const { rows } = await portal.system.pool.query('select invitation_id as id from invitations where email = $1', [
    email,
  ])
  const invited = [{ accountId: rows[0].id as string }]
  const members = async () => (await home.browser.get(`/api/groups/${groupId}/members`)).json().items
  await home.put(groupId, invited)
  const days = { validFrom: '2026-01-01', validUntil: '2031-12-31' }
  await home.put(groupId, invited, days)
  expect(await members()).toMatchObject([{ email, pending: true, ...days }])
  const accepted = await groups.invites.accept(email, await groups.invites.mailedToken(email))
  expect(accepted.statusCode, accepted.body).toBeLessThan(300)
  expect(await members()).toMatchObject([{ email, pending: false, ...days }])
})

test('an import row that names a group twice, in other letters, invites once', async () => {
  const home = await groups.newHome({ people: 0 })
  await home.create({ name: 'Säljare' })
  const rows = [{ email: newEmail(), groups: ['Säljare', 'SÄLJARE'] }, { email: newEmail() }]
  const answer = await home.browser.post('/api/invites/bulk', { organizationId: home.organizationId, rows })
  expect(answer.json().rows).toMatchObject([{ outcome: 'invited' }, { outcome: 'invited' }])
})

test('who may invite, and not manage groups, is told so for a list that names groups, whether there are such groups or not', async () => {
  const home = await groups.newHome({ people: 1 })
  const { organizationId, person } = home
  await home.create({ name: 'Ledning' })
  await portal.system.db
    .insertInto('allGrants')
    .values({ accountId: person.accountId, organizationId, roleKey: 'personnelAdministrator' })
    .execute()
  const browser = await portal.signedIn(person)
  const ask = async (url: string, ...names: string[]) => {
    const email = newEmail()
    const answer = await browser.post(url, { organizationId, rows: [{ email, groups: names }, { email: newEmail() }] })
    const { rows } = await portal.system.pool.query('select from invitations where email = $1', [email])
    return [answer.statusCode, answer.json().message, rows.length]
  }
  for (const url of ['/api/invites/bulk/dry-run', '/api/invites/bulk']) {
    for (const name of ['Ledning', 'ledning ', 'Nobody'])
      expect([url, name, await ask(url, name)]).toEqual([url, name, [403, 'moreThanOwn', 0]])
    expect((await ask(url, '', ' '))[0]).toBe(200)
  }
})
