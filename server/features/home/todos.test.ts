import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HomeAnswer } from '#contract/home/home.ts'
import { newId } from '#server/platform/ids.ts'
import { setAccessDay } from '#test/access-day.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, newEmail } from '#test/invitations.ts'
import type { Person } from '#test/people.ts'
import { selfSigned } from '#test/saml/certificate.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

const days = 24 * 3600

let portal: TestApp
let superUser: Client
beforeAll(async () => {
  portal = await testApp()
  superUser = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

interface Place {
  organizationId: string
  browser: Client
}
const organization = () => invitationsOf(portal).organizationWithAdmin()
async function member({ organizationId }: Place): Promise<Person> {
  const person = await portal.person()
  await portal.join(person.accountId, organizationId)
  return person
}
const homeOf = async ({ browser, organizationId }: Place): Promise<HomeAnswer> =>
  (await browser.get(`/api/organizations/${organizationId}/home`)).json()
const homeOfPortal = async (): Promise<HomeAnswer> => (await superUser.get('/api/home')).json()

describe('what needs doing', () => {
  test('is nothing in a new organisation, whatever happens in another', async () => {
    const [one, other] = [await organization(), await organization()]
    const { serviceId } = await portal.service()
    await portal.offer(other.organizationId, serviceId, 1)
    await portal.assign(other.admin.accountId, other.organizationId, serviceId)
    await invitation(other, { sentDaysAgo: 8 })
    expect((await homeOf(one)).todos).toEqual({
      failedInvitations: 0,
      endingAccess: 0,
      waitingInvitations: 0,
      accessRequests: 0,
      accessReviewRows: 0,
      overdueAccessReviews: 0,
      comingPassiveUsers: 0,
      endingCertificates: [],
      setupsToApprove: 0,
      metadataToConfirm: 0,
      nearlyFull: [],
      nearlyFullCount: 0,
      failedMessages: 0,
      brokenTemplates: [],
    })
  })

  test('are invitations that could not be sent, and those that wait for more than seven days', async () => {
    const place = await organization()
    const before = (await homeOfPortal()).todos
    await invitation(place, { sentDaysAgo: 6.9 })
    await invitation(place, { sentDaysAgo: 7.1 })
    await invitation(place, { sentDaysAgo: 7.1, mail: 'failed' })
    await invitation(place, { sentDaysAgo: 1, mail: 'dropped' })
    await invitation(place, { sentDaysAgo: 1, mail: 'sent' })
    expect((await homeOf(place)).todos).toMatchObject({ failedInvitations: 2, waitingInvitations: 1 })
    const { failedInvitations, waitingInvitations, failedMessages } = (await homeOfPortal()).todos
    expect(failedInvitations - before.failedInvitations).toBe(2)
    expect(waitingInvitations - before.waitingInvitations).toBe(1)
    expect(failedMessages).toBe(before.failedMessages)
  })

  test('are requests for access that nobody has answered', async () => {
    const place = await organization()
    const { serviceId } = await portal.service()
    await portal.system.db
      .updateTable('services')
      .set({ requestable: true })
      .where('serviceId', '=', serviceId)
      .execute()
    await portal.offer(place.organizationId, serviceId, null)
    const before = (await homeOfPortal()).todos.accessRequests
    for (const person of [await member(place), await member(place)])
      await (await portal.signedIn(person)).post('/api/access-requests', {
        organizationId: place.organizationId,
        serviceId,
      })
    const [first] = (await place.browser.get('/api/access-requests')).json().items
    await place.browser.post(`/api/access-requests/${first.requestId}/refuse`, { reason: 'Not in your work' })
    expect((await homeOf(place)).todos.accessRequests).toBe(1)
    expect((await homeOfPortal()).todos.accessRequests - before).toBe(1)
  })

  test('are people who become passive within 30 days', async () => {
    const place = await organization()
    await activeDaysAgo(await member(place), 150.5)
    await activeDaysAgo(await member(place), 149.5)
    // When someone was active elsewhere is not for this admin to know.
    const elsewhere = await member(place)
    await portal.join(elsewhere.accountId, (await portal.organization()).organizationId)
    await activeDaysAgo(elsewhere, 150.5)
    expect((await homeOf(place)).todos.comingPassiveUsers).toBe(1)
  })

  test('are no more people than are counted, and one: a portal of millions is not counted to its end', async () => {
    const { accountId } = await portal.person()
    await portal.system.pool.query(
      `insert into users (account_id, email, login_method, last_active)
       select gen_random_uuid(), 'idle' || n || '@many.example', login_method, $2
       from users, generate_series(1, 10500) n where account_id = $1`,
      [accountId, new Date(portal.now().getTime() - 170 * 86_400_000)],
    )
    const owner = new pg.Client(portal.ownerUrl)
    await owner.connect()
    // As the database does by itself within a minute.
    await owner.query('analyze users')
    await owner.end()
    expect((await homeOfPortal()).todos.comingPassiveUsers).toBe(10_001)
    await portal.system.pool.query(`delete from users where email like 'idle%@many.example'`)
  })

  test('are services of which nine tenths of the seats are used, the fullest first', async () => {
    const place = await organization()
    const people = await Promise.all(Array.from({ length: 10 }, () => member(place)))
    const use = async (limit: number | null, used: number) => {
      const { serviceId, name } = await portal.service()
      await portal.offer(place.organizationId, serviceId, limit)
      for (const { accountId } of people.slice(0, used)) await portal.assign(accountId, place.organizationId, serviceId)
      return name
    }
    const nearly = await use(10, 9)
    const full = await use(10, 10)
    await use(10, 8)
    await use(null, 10)
    const { nearlyFull, nearlyFullCount } = (await homeOf(place)).todos
    expect(nearlyFull.map(({ name, seatsUsed }) => [name, seatsUsed])).toEqual([
      [full, 10],
      [nearly, 9],
    ])
    expect(nearlyFullCount).toBe(2)
  })

  test('are, for super users alone, SAML certificates that end and messages that could not be sent', async () => {
    const place = await organization()
    const certificate = (daysLeft: number) =>
      selfSigned({ name: 'idp', validFrom: inDays(-300), validTo: inDays(daysLeft) }).certificate
    const config = async (text: string) => {
      const id = await portal.samlConfig()
      await portal.system.db.updateTable('samlConfigs').set({ certificate: text }).where('id', '=', id).execute()
      return id
    }
    const ending = await config(certificate(59))
    const ended = await config(certificate(-1))
    await config(certificate(61))
    await config(certificate(20) + certificate(400))
    await message('failed')
    await message('sent')
    const { todos } = await homeOfPortal()
    expect(todos.endingCertificates.map(({ id }) => id)).toEqual([ended, ending])
    expect(todos.endingCertificates[1]).toMatchObject({ validTo: inDays(59).toISOString() })
    expect(todos.failedMessages).toBe(1)
    expect((await homeOf(place)).todos).toMatchObject({ endingCertificates: [], failedMessages: 0 })
  })
})

test('what an organisation is asked to do is shown to those who can do it', async () => {
  await setAccessDay(portal, inDays(0).toISOString().slice(0, 10))
  const place = await organization()
  const { organizationId } = place
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId, 1)
  const asker = await member(place)
  await portal.assign(asker.accountId, organizationId, serviceId)
  await portal.system.db
    .insertInto('accessRequests')
    .values({ requestId: newId(), accountId: asker.accountId, organizationId, serviceId, createdAt: portal.now() })
    .execute()
  await invitation(place, { sentDaysAgo: 8 })
  await activeDaysAgo(asker, 360)
  await portal.system.db
    .updateTable('memberships')
    .set({ validUntil: inDays(3).toISOString().slice(0, 10) })
    .where('accountId', '=', asker.accountId)
    .execute()
  await place.browser.post(`/api/organizations/${organizationId}/access-review`)
  const seenWith = async (role?: string) => {
    const person = await member(place)
    if (role) await portal.give(person.accountId, organizationId, role)
    const { todos } = await homeOf({ organizationId, browser: await portal.signedIn(person) })
    return toDo(todos)
  }
  const all = toDo((await homeOf(place)).todos)
  expect(all).toEqual([
    'accessRequests',
    'accessReviewRows',
    'comingPassiveUsers',
    'endingAccess',
    'nearlyFullCount',
    'waitingInvitations',
  ])
  expect(await seenWith('reader')).toEqual([])
  expect(await seenWith('auditor')).toEqual([])
  expect(await seenWith('helpDesk')).toEqual(['comingPassiveUsers', 'waitingInvitations'])
  expect(await seenWith('personnelAdministrator')).toEqual(all.filter((todo) => todo !== 'accessReviewRows'))
})

/** What is counted, by name. */
const toDo = (todos: HomeAnswer['todos']) =>
  Object.entries(todos)
    .flatMap(([todo, found]) => (Number(found) > 0 ? [todo] : []))
    .sort()

/** Whole seconds, as certificates have them. */
const inDays = (count: number) => new Date(Math.floor(portal.now().getTime() / 1000 + count * days) * 1000)

const activeDaysAgo = ({ accountId }: Person, count: number) =>
  portal.system.db
    .updateTable('users')
    .set({ lastActive: inDays(-count) })
    .where('accountId', '=', accountId)
    .execute()

async function message(state: 'sent' | 'failed' | 'dropped'): Promise<string> {
  const id = newId()
  const mail = { id, kind: 'mail', template: 'user-invite', recipient: 'x@y.example', language: 'sv' } as const
  await portal.system.db
    .insertInto('outboxMessages')
    .values({ ...mail, state, sealed: Buffer.alloc(0), createdAt: portal.now(), finishedAt: portal.now() })
    .execute()
  return id
}

async function invitation(
  { organizationId }: Place,
  { sentDaysAgo, mail }: { sentDaysAgo: number; mail?: 'sent' | 'failed' | 'dropped' },
): Promise<void> {
  const sentAt = inDays(-sentDaysAgo)
  const expiresAt = new Date(sentAt.getTime() + 7 * days * 1000)
  const outboxId = mail ? await message(mail) : null
  await portal.system.db
    .insertInto('invitations')
    .values({ invitationId: newId(), organizationId, email: newEmail(), sentAt, expiresAt, outboxId })
    .execute()
}
