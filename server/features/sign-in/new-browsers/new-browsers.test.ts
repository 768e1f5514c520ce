import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { notMeLink } from '#server/credentials/not-me/not-me-link.ts'
import { removeExpired } from '#server/platform/jobs/remove-expired.ts'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import { chosenPassword, type Person, testPassword } from '#test/people.ts'
import { signIn, type TestApp, testApp } from '#test/test-app.ts'
import { createNewBrowsersJob } from './new-browsers-job.ts'

// The mails about browsers that an account had not used: the first one at once, and never a thousand.

let portal: TestApp
let outbox: ReturnType<typeof outboxOf>
beforeAll(async () => {
  portal = await testApp({ NEW_BROWSER_MAIL: 'on', TRUSTED_PROXIES: '127.0.0.1/32' })
  outbox = outboxOf(portal)
})
afterAll(() => portal.close())
beforeEach(() => portal.advance(48 * 3600))

const runJob = () => createNewBrowsersJob(portal.system).run()
const mailsTo = async ({ email }: Person) =>
  (await outbox.messagesTo(email)).filter(({ template }) => template === 'new-browser').map(({ values }) => values)
const isSignedIn = async (browser: Client) => (await browser.get('/api/me')).statusCode === 200
async function signInFrom(address: string, { email }: Person, browser?: Client) {
  const here = browser ?? portal.browser({ 'x-forwarded-for': address })
  await signIn(here, email, testPassword)
  return here
}
/** The sign-ins from new browsers that were noted. */
const signInsOf = async ({ accountId }: Person) => {
  const rows = await portal.system.db
    .selectFrom('newBrowsers')
    .select('signIns')
    .where('accountId', '=', accountId)
    .execute()
  return rows.reduce((sum, { signIns }) => sum + signIns, 0)
}
/** Somebody who has been here with one browser. */
async function regular() {
  const person = await portal.person()
  return { person, browser: await portal.signedIn(person) }
}

test('thirty sign-ins with a password from one network are one mail, and a day later a number', async () => {
  const { person } = await regular()
  const at = portal.now().toISOString()
  for (let time = 1; time <= 15; time++) await signInFrom(`198.51.100.${time}`, person)
  await runJob()
  await runJob()
  for (let time = 16; time <= 30; time++) await signInFrom(`198.51.100.${time}`, person)
  await runJob()
  expect(await mailsTo(person)).toMatchObject([{ at, count: null }])
  portal.advance(24 * 3600)
  await runJob()
  await runJob()
  const [summary, ...others] = await mailsTo(person)
  expect([summary, others.length]).toMatchObject([{ at, count: 29, browser: '' }, 1])
  await signInFrom('198.51.100.7', person)
  await runJob()
  expect(await mailsTo(person)).toMatchObject([{ count: null, at: portal.now().toISOString() }, {}, {}])
})

test('the first of each network is told, up to ten of them, and the rest with the summary', async () => {
  const { person } = await regular()
  for (let network = 1; network <= 13; network++) {
    await signInFrom(`203.0.${network}.1`, person)
    await runJob()
  }
  expect((await mailsTo(person)).map(({ count }) => count)).toEqual(Array(10).fill(null))
  portal.advance(24 * 3600)
  await runJob()
  expect((await mailsTo(person))[0]).toMatchObject({ count: 3 })
  expect(await mailsTo(person)).toHaveLength(11)
})

test('two nodes tell an owner once', async () => {
  const { person } = await regular()
  await signInFrom('198.51.100.1', person)
  await Promise.all([runJob(), runJob(), runJob()])
  expect(await mailsTo(person)).toHaveLength(1)
})

test('the button undoes what was added between the sign-in and the mail', async () => {
  const { person } = await regular()
  await signInFrom('198.51.100.1', person)
  portal.advance(30)
  const { accountId } = person
  const app = { accountId, secretSealed: Buffer.from(accountId), lastStep: 0, createdAt: portal.now() }
  const { db } = portal.system
  await db.insertInto('authenticatorApps').values(app).execute()
  portal.advance(30)
  await runJob()
  await portal.browser().submit(new URL(String((await mailsTo(person))[0]?.link)).pathname, {})
  expect(
    await db.selectFrom('authenticatorApps').select('accountId').where('accountId', '=', accountId).execute(),
  ).toEqual([])
})

test('nothing is kept of what was told days ago', async () => {
  const { person } = await regular()
  await signInFrom('198.51.100.1', person)
  await runJob()
  const { db, config } = portal.system
  const left = async (days: number) => {
    await removeExpired(db, new Date(portal.now().getTime() + days * 24 * 3600_000), config)
    const { accountId } = person
    return (await db.selectFrom('newBrowsers').select('told').where('accountId', '=', accountId).execute()).length
  }
  expect([await left(1), await left(4)]).toEqual([1, 0])
})

test.each(['the button of a mail', 'a reset of the password by mail'])(
  'after %s no browser of before is known, the one of the stranger included',
  async (how) => {
    const { person, browser } = await regular()
    const thief = await signInFrom('198.51.100.1', person)
    portal.advance(3600)
    const { config, db } = portal.system
    if (how === 'the button of a mail') {
      const link = await notMeLink({ config, now: portal.now() }, db, person.accountId)
      await portal.browser().submit(new URL(link).pathname, {})
    }
    await portal.browser().post('/api/initiate-password-reset', { email: person.email })
    const reset = (await outbox.messagesTo(person.email)).find(({ template }) => template === 'reset-password')
    const token = String(reset?.values.link).split('/').at(-1)
    const passwords = { newPassword: chosenPassword, confirmNewPassword: chosenPassword }
    await portal.browser().post('/api/reset-password', { email: person.email, token, ...passwords })
    await runJob()
    const before = (await mailsTo(person)).length
    portal.advance(24 * 3600)
    for (const [index, one] of [thief, browser].entries()) {
      await signIn(one, person.email, chosenPassword)
      expect(await isSignedIn(one)).toBe(true)
      await runJob()
      const told = (await mailsTo(person)).length - before
      // The own browser is in another network than the stranger's.
      expect(told).toBe(index + 1)
      // From now on it is known again, and not even noted.
      const noted = await signInsOf(person)
      await one.submit('/logout', {})
      await signIn(one, person.email, chosenPassword)
      expect(await signInsOf(person)).toBe(noted)
    }
  },
)
