import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHousekeepingJobs } from '#server/platform/jobs/housekeeping.ts'
import { MailFailure } from '#server/platform/messages/mailer.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { outboxOf } from '#test/outbox.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '100000/60' })
})
afterAll(() => portal?.close())

const sms = { send: async () => {} }
/** What becomes of the newest mail to an address. */
async function deliver(address: string, failure?: MailFailure): Promise<void> {
  const [message] = await outboxOf(portal).messagesTo(address)
  const send = async () => {
    if (failure) throw failure
  }
  await outboxOf(portal).deliver(message?.id ?? '', sms, { send, close: async () => {} })
}
const refused = new MailFailure('SMTP RCPT TO 550', { retry: false, refusedAddress: true })
const place = () => invitationsOf(portal).organizationWithAdmin()
type Place = Awaited<ReturnType<typeof place>>

const listed = async ({ browser, organizationId }: Place, status = 'emailRefused') =>
  (await browser.get(`/api/organizations/${organizationId}/users?status=${status}`)).json()
const readAs = async ({ browser, organizationId }: Place, accountId: string) =>
  (await browser.get(`/api/users/${accountId}/organization/${organizationId}/service/-`)).json()

test('an address that is refused for good is marked on its user and found by a filter, until a mail gets through', async () => {
  const here = await place()
  const person = await portal.person()
  await portal.join(person.accountId, here.organizationId)
  const reset = () =>
    here.browser.post('/api/initiate-password-reset', { email: person.email, tokenLifeTimeInHours: 1 })
  expect((await readAs(here, person.accountId)).emailRefusedAt).toBeNull()
  await reset()
  // A full or busy mail server says nothing about the address.
  await deliver(person.email, new MailFailure('SMTP RCPT TO 451', { retry: true }))
  expect((await listed(here)).totalCount).toBe(0)
  await deliver(person.email, refused)
  expect((await readAs(here, person.accountId)).emailRefusedAt).toBe(portal.now().toISOString())
  expect(await listed(here)).toMatchObject({ totalCount: 1, items: [{ accountId: person.accountId }] })
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  expect((await root.get('/api/users?status=emailRefused')).json()).toMatchObject({ totalCount: 1 })
  await reset()
  await deliver(person.email)
  expect((await readAs(here, person.accountId)).emailRefusedAt).toBeNull()
  expect((await listed(here)).totalCount).toBe(0)
  expect((await root.get('/api/users?status=emailRefused')).json()).toMatchObject({ totalCount: 0, items: [] })
})

test('an invitation is marked by its own mail, not by what became of an earlier one of another organisation', async () => {
  const [one, other] = [await place(), await place()]
  const email = newEmail()
  await invite(one.browser, one.organizationId, email)
  await deliver(email, refused)
  const [open] = (await listed(one)).items
  expect((await readAs(one, open.accountId)).emailRefusedAt).not.toBeNull()
  portal.advance(60)
  await invite(other.browser, other.organizationId, email)
  expect((await listed(other)).totalCount).toBe(0)
  const [pending] = (await listed(other, 'pending')).items
  expect((await readAs(other, pending.accountId)).emailRefusedAt).toBeNull()
  await deliver(email)
  expect((await listed(one)).totalCount).toBe(0)
})

test('nothing is kept of an address that is no longer anybody’s', async () => {
  const here = await place()
  const email = newEmail()
  await invite(here.browser, here.organizationId, email)
  await deliver(email, refused)
  const { db, keys, log, config } = portal.system
  const jobs = createHousekeepingJobs({ db, keys, clock: portal.now, log, kept: config })
  const clean = () => jobs.find(({ name }) => name === 'remove-expired')?.run()
  const kept = () => db.selectFrom('refusedAddresses').select('address').where('address', '=', email).execute()
  await clean()
  expect(await kept()).toHaveLength(1)
  await db.deleteFrom('invitations').where('email', '=', email).execute()
  await clean()
  expect(await kept()).toEqual([])
})
