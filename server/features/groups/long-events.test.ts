import { afterAll, beforeAll, expect, test } from 'vitest'
import { directoryOf } from '#test/directory.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
})
afterAll(() => portal?.close())

/** Twenty of these do not fit into a value of an event. */
const long = (number: number) =>
  `${String(number).padStart(2, '0')}${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(40)}.example`
const count = 40

async function scene() {
  const { organizationId } = await portal.organization()
  const admin = await portal.person()
  await portal.join(admin.accountId, organizationId, 'organizationAdmin')
  const browser = await portal.signedIn(admin)
  const people = []
  for (let number = 0; number < count; number++) {
    const person = await portal.person({ email: `${people.length}.${organizationId.slice(-12)}.${long(number)}` })
    await portal.join(person.accountId, organizationId)
    people.push(person)
  }
  const { groupId } = (await browser.post('/api/groups', { organizationId, name: 'Alla' })).json()
  const url = `/api/groups/${groupId}`
  return { browser, people, accountIds: people.map(({ accountId }) => accountId), groupId, url, organizationId }
}

async function told(targetId: string, property: string): Promise<string> {
  const { rows } = await portal.system.pool.query('select changes from audit_events where target_id = $1', [targetId])
  return rows
    .flatMap(({ changes }) => changes)
    .filter((one) => one.property === property)
    .map(({ previousValue, newValue }) => previousValue ?? newValue)
    .join(', ')
}
const missing = (emails: readonly string[], text: string) => emails.filter((email) => !text.split(', ').includes(email))

test('events name everybody who is put in a group or taken out, however long their addresses are', async () => {
  const { browser, people, accountIds, groupId, url } = await scene()
  const emails = people.map(({ email }) => email)
  expect((await browser.post(`${url}/members`, { accountIds })).statusCode).toBe(200)
  expect(missing(emails, await told(groupId, 'peopleAdded'))).toEqual([])
  expect((await browser.post(`${url}/members/remove`, { accountIds })).statusCode).toBe(200)
  expect(missing(emails, await told(groupId, 'peopleRemoved'))).toEqual([])
})

test('events name everybody who loses what a group gives, by its deletion or by another rule', async () => {
  const { browser, people, accountIds, groupId, url, organizationId } = await scene()
  const emails = people.map(({ email }) => email)
  const rule = { groupId, ruleAttribute: 'department', ruleValue: 'Lund' }
  expect((await browser.put('/api/groups', rule)).statusCode).toBe(200)
  await portal.system.pool.query(
    `insert into group_members (group_id, organization_id, account_id, source) select $1, $2, id, 'rule' from unnest($3::uuid[]) as id`,
    [groupId, organizationId, accountIds],
  )
  expect((await browser.put('/api/groups', { ...rule, ruleValue: 'Malmö' })).statusCode).toBe(200)
  expect(missing(emails, await told(groupId, 'peopleRemoved'))).toEqual([])
  const { groupId: next } = (await browser.post('/api/groups', { organizationId, name: 'Nästa' })).json()
  await browser.post(`/api/groups/${next}/members`, { accountIds })
  expect((await browser.delete(`/api/groups/${next}`)).statusCode).toBe(204)
  expect(missing(emails, `${await told(next, 'people')}, ${await told(next, 'peopleRemoved')}`)).toEqual([])
  expect((await browser.delete(url)).statusCode).toBe(204)
})

test("events name everybody whom a directory's group brings in or takes out", async () => {
  const here = await directoryOf(portal)
  const members: { id: string; email: string }[] = []
  for (let number = 0; number < 2 * count; number++) {
    const email = `${long(number).split('@')[0]}@${here.mailDomain}`
    members.push(await here.created({ userName: email, emails: [{ value: email }] }))
  }
  const added = await here.call('POST', '/Groups', {
    displayName: 'Alla',
    members: members.map(({ id }) => ({ value: id })),
  })
  const { id } = added.json()
  const [{ version }] = (await here.browser.get(`${here.url}/groups`)).json().items
  const services = { becomes: 'services', name: 'Alla här', services: [], version }
  const mapped = await here.browser.put(`${here.url}/groups/${id}`, services)
  expect(mapped.statusCode, mapped.body).toBe(200)
  const { groupId } = mapped.json()
  const emails = members.map(({ email }) => email)
  expect(missing(emails, await told(groupId, 'peopleAdded'))).toEqual([])
  expect((await here.call('DELETE', `/Groups/${id}`)).statusCode).toBe(204)
  expect(missing(emails, await told(groupId, 'peopleRemoved'))).toEqual([])
})
