import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFactors } from '#server/credentials/factors/factors.repository.ts'
import { notMeLink } from '#server/credentials/not-me/not-me-link.ts'
import { createNewBrowsersJob } from '#server/features/sign-in/new-browsers/new-browsers-job.ts'
import { bankIdOf } from '#test/bankid.ts'
import type { Client } from '#test/client.ts'
import { factorsOf } from '#test/factors.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { outboxOf } from '#test/outbox.ts'
import { chosenPassword, type Person, testPassword } from '#test/people.ts'
import { openSignIn, submitPassword } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { createRecoveriesJob } from '../recoveries/recover-account.ts'

let portal: TestApp
let outbox: ReturnType<typeof outboxOf>
beforeAll(async () => {
  portal = await testApp({ NEW_BROWSER_MAIL: 'on' })
  outbox = outboxOf(portal)
})
afterAll(() => portal.close())

/** What the job has told the owner by now. */
async function mailsTo({ email }: Person) {
  await createNewBrowsersJob(portal.system).run()
  return (await outbox.messagesTo(email)).filter(({ template }) => template === 'new-browser')
}
/** Somebody who has been here with one browser. */
async function regular(options: Parameters<TestApp['person']>[0] = {}) {
  const person = await portal.person(options)
  return { person, browser: await portal.signedIn(person) }
}
async function signInWith(browser: Client, { email }: Person, password?: string) {
  const { page } = await openSignIn(browser)
  return browser.follow(await submitPassword(browser, page, email, password))
}
const linkOf = async (person: Person) => new URL(String((await mailsTo(person))[0]?.values.link)).pathname
const press = (path: string) => portal.browser().submit(path, {})
const factorsIn = ({ accountId }: Person) => findFactors(portal.system.db, accountId, 'portal.test')
const isSignedIn = async (browser: Client) => (await browser.get('/api/me')).statusCode === 200

test('the first browser of an account is no news, a second one is, and neither is again', async () => {
  const { person, browser } = await regular({ preferredLanguage: 'fr' })
  expect(await mailsTo(person)).toEqual([])
  const other = portal.browser({ 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0' })
  await signInWith(other, person)
  const at = portal.now().toISOString()
  expect(await mailsTo(person)).toMatchObject([{ language: 'fr', values: { browser: 'Firefox, Windows', at } }])
  for (const known of [browser, other]) {
    await known.submit('/logout', {})
    await signInWith(known, person)
  }
  expect(await mailsTo(person)).toHaveLength(1)
})

test('the eleventh browser of a person is news, too, signs in and ends the oldest session', async () => {
  const { person, browser } = await regular()
  for (let count = 2; count <= 11; count++) {
    portal.advance(1)
    expect(await isSignedIn(await portal.signedIn(person))).toBe(true)
  }
  expect(await isSignedIn(browser)).toBe(false)
  expect(await mailsTo(person)).toHaveLength(1)
})

test('an account opened by a link that an admin can read is news to the owner of the address, by a mailed link not', async () => {
  const invites = invitationsOf(portal)
  const { browser, organizationId } = await invites.organizationWithAdmin()
  for (const isShown of [true, false]) {
    const email = newEmail()
    await invite(browser, organizationId, email)
    const token = isShown ? await invites.shownToken(browser, email, organizationId) : await invites.mailedToken(email)
    expect((await invites.accept(email, token)).statusCode).toBe(204)
    const { accountId } = (await invites.userOf(email)) ?? { accountId: '' }
    const own = await portal.signedIn({ accountId, email }, chosenPassword)
    expect(await mailsTo({ accountId, email })).toHaveLength(isShown ? 1 : 0)
    if (!isShown) continue
    await press(await linkOf({ accountId, email }))
    expect(await isSignedIn(own)).toBe(false)
    const { url } = await signInWith(portal.browser(), { accountId, email }, chosenPassword)
    expect(url).toContain('error=invalidCredentials')
  }
})

test('the button ends every session and locks the sign-in until the password is reset by mail', async () => {
  const { person, browser } = await regular()
  const thief = await portal.signedIn(person)
  const path = await linkOf(person)
  // A mail scanner opens the link: nothing happens.
  expect((await portal.browser().get(path)).statusCode).toBe(200)
  expect(await isSignedIn(thief)).toBe(true)
  expect((await press(path)).headers.location).toBe('/not-me')
  expect([await isSignedIn(browser), await isSignedIn(thief)]).toEqual([false, false])
  const { url } = await signInWith(thief, person)
  expect(url).toContain('error=invalidCredentials')
  expect((await press(path)).statusCode).toBe(404)

  await portal.browser().post('/api/initiate-password-reset', { email: person.email })
  const reset = (await outbox.messagesTo(person.email)).find(({ template }) => template === 'reset-password')
  const token = String(reset?.values.link).split('/').at(-1)
  const passwords = { newPassword: chosenPassword, confirmNewPassword: chosenPassword }
  const answer = await portal.browser().post('/api/reset-password', { email: person.email, token, ...passwords })
  expect(answer.statusCode).toBe(204)
  expect(await isSignedIn(await portal.signedIn(person, chosenPassword))).toBe(true)
  const events = await portal.system.db
    .selectFrom('auditEvents')
    .select(['name', 'actor', 'target'])
    .where('targetId', '=', person.accountId)
    .where('name', '=', 'lockSignIn')
    .execute()
  expect(events).toEqual([{ name: 'lockSignIn', actor: person.email, target: person.email }])
})

test('an open reset link, which a thief may have asked for, ends with it', async () => {
  const { person } = await regular()
  await portal.signedIn(person)
  await portal.browser().post('/api/initiate-password-reset', { email: person.email })
  const reset = (await outbox.messagesTo(person.email)).find(({ template }) => template === 'reset-password')
  await press(await linkOf(person))
  const token = String(reset?.values.link).split('/').at(-1)
  expect((await portal.browser().get(`/api/reset-password/${token}`)).statusCode).toBe(404)
})

test('who signs in with BankID is signed out everywhere, and signs in again with BankID', async () => {
  const bankid = bankIdOf(portal)
  const ssn = bankid.newNumber()
  const person = await portal.person({ loginMethod: 'bankid', ssn, ssnProof: 'bankid' })
  const { browser } = await bankid.signIn(person.email, ssn)
  await bankid.signIn(person.email, ssn)
  await press(await linkOf(person))
  expect(await isSignedIn(browser)).toBe(false)
  expect(await isSignedIn((await bankid.signIn(person.email, ssn)).browser)).toBe(true)
})

test('a link of a month ago, or that is made up, does nothing', async () => {
  const { person, browser } = await regular()
  await portal.signedIn(person)
  const path = await linkOf(person)
  portal.advance(30 * 24 * 3600)
  const late = await portal.signedIn(person)
  expect((await press(path)).statusCode).toBe(404)
  expect((await press('/not-me/made-up')).statusCode).toBe(404)
  expect([await isSignedIn(browser), await isSignedIn(late)]).toEqual([false, true])
})

test('a second factor that the stranger added is off, and one that was there before stays', async () => {
  const appOf = ({ accountId }: Person) =>
    portal.system.db.selectFrom('authenticatorApps').select('accountId').where('accountId', '=', accountId).execute()
  const addApp = async ({ accountId }: Person) => {
    const { db } = portal.system
    const app = { accountId, secretSealed: Buffer.from(accountId), lastStep: 0, createdAt: portal.now() }
    await db.insertInto('authenticatorApps').values(app).execute()
    await db.updateTable('users').set({ usualFactor: 'app' }).where('accountId', '=', accountId).execute()
  }
  const usualOf = async ({ accountId }: Person) =>
    (
      await portal.system.db
        .selectFrom('users')
        .select('usualFactor')
        .where('accountId', '=', accountId)
        .executeTakeFirstOrThrow()
    ).usualFactor
  const [{ person: robbed }, { person: owner }] = [await regular(), await regular()]
  await portal.signedIn(robbed)
  await addApp(robbed)
  await press(await linkOf(robbed))
  expect([await appOf(robbed), await usualOf(robbed)]).toEqual([[], null])
  // The account is not back at a password alone, and the mailbox that pressed the button does not open it.
  await portal.system.db.updateTable('users').set({ signInLockedAt: null }).where('email', '=', robbed.email).execute()
  const { email } = robbed
  const alone = await portal.browser().post('/api/verify-credentials', { email, password: testPassword })
  expect([alone.statusCode, alone.json().message]).toEqual([403, 'secondStepNeeded'])
  for (const more of [{}, { codeDeliveryType: 'email' }])
    expect((await factorsOf(portal).start(portal.browser(), robbed, more)).json().message).toBe('mailNotAfterReset')

  const other = await portal.signedIn(owner)
  await addApp(owner)
  portal.advance(60)
  const { config, db } = portal.system
  const later = await notMeLink({ config, now: portal.now() }, db, owner.accountId)
  await press(new URL(later).pathname)
  expect([await isSignedIn(other), (await appOf(owner)).length, await usualOf(owner)]).toEqual([false, 1, 'app'])
})

test('a phone or personal number that the stranger entered is no second step any more, by the button in the mail about it', async () => {
  for (const isConfirmedLater of [false, true]) {
    const { person } = await regular()
    const thief = await portal.signedIn(person)
    const enter = () =>
      thief.put('/api/profile', {
        ...{ phoneNumber: '+46701740641', ssn: bankIdOf(portal).newNumber(), currentPassword: testPassword },
      })
    if (isConfirmedLater) expect((await enter()).statusCode).toBe(200)
    await factorsOf(portal).proveCode(thief, person)
    expect((await enter()).statusCode).toBe(200)
    expect(await factorsIn(person)).toMatchObject({ unconfirmed: [], hasPhoneNumber: true })
    await thief.put('/api/profile/factors/usual', { usual: 'sms' })
    const mail = (await outbox.messagesTo(person.email)).find(({ template }) => template === 'contact-changed')
    await press(new URL(String(mail?.values.link)).pathname)
    expect(await isSignedIn(thief)).toBe(false)
    expect(await factorsIn(person)).toMatchObject({ unconfirmed: ['ssn', 'phoneNumber'], hasPhoneNumber: false })
    const { db } = portal.system
    const stored = await db
      .selectFrom('users')
      .select(['usualFactor', 'mustEnrol'])
      .where('email', '=', person.email)
      .executeTakeFirst()
    expect(stored).toEqual({ usualFactor: null, mustEnrol: true })
  }
})

test('a phone number that an admin or a super user entered gets no codes, and the button in the mail about it ends the sessions', async () => {
  const invites = invitationsOf(portal)
  const { browser: admin, organizationId } = await invites.organizationWithAdmin()
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  for (const asker of [admin, root]) {
    const { person, browser } = await regular()
    await portal.join(person.accountId, organizationId)
    const change = { accountId: person.accountId, phoneNumber: '+46701740642' }
    expect((await asker.put('/api/users', change)).statusCode).toBe(200)
    expect(await factorsIn(person)).toMatchObject({ hasPhoneNumber: false })
    const mail = (await outbox.messagesTo(person.email)).find(({ template }) => template === 'contact-changed')
    await press(new URL(String(mail?.values.link)).pathname)
    expect(await isSignedIn(browser)).toBe(false)
    expect(await factorsIn(person)).toMatchObject({ hasPhoneNumber: false })
  }
})

test('the mail about a changed password has the button, too, which closes the account to who changed it', async () => {
  const { person, browser: thief } = await regular()
  const passwords = { oldPassword: testPassword, newPassword: chosenPassword, confirmNewPassword: chosenPassword }
  expect((await thief.put('/api/profile/password', passwords)).statusCode).toBe(204)
  const mail = (await outbox.messagesTo(person.email)).find(({ template }) => template === 'password-changed')
  await press(new URL(String(mail?.values.link)).pathname)
  expect(await isSignedIn(thief)).toBe(false)
  const { url } = await signInWith(portal.browser(), person, chosenPassword)
  expect(url).toContain('error=invalidCredentials')
})

test('a phone number that was there before stays a second step', async () => {
  const { person, browser } = await regular()
  await factorsOf(portal).proveCode(browser, person)
  await browser.put('/api/profile', { phoneNumber: '+46701740641', currentPassword: testPassword })
  portal.advance(60)
  await portal.signedIn(person)
  await press(await linkOf(person))
  expect(await factorsIn(person)).toMatchObject({ unconfirmed: [], hasPhoneNumber: true })
})

test('a mail of days ago takes no factor away, and once the button was pressed no other mail does anything', async () => {
  const { person: owner } = await regular()
  const { config, db } = portal.system
  const link = async () => new URL(await notMeLink({ config, now: portal.now() }, db, owner.accountId)).pathname
  const [first, second] = [await link(), await link()]
  const app = { accountId: owner.accountId, secretSealed: Buffer.from('app'), lastStep: 0, createdAt: portal.now() }
  await db.insertInto('authenticatorApps').values(app).execute()
  portal.advance(49 * 3600)
  await press(first)
  const { accountId } = owner
  const kept = await db.selectFrom('authenticatorApps').select('accountId').where('accountId', '=', accountId).execute()
  expect(kept).toHaveLength(1)
  expect((await press(second)).statusCode).toBe(404)
})

test('the mailbox alone takes a factor of two days off by it, and does not sign in: an older factor does, or an admin helps', async () => {
  const factors = factorsOf(portal)
  const bySms = { codeDeliveryType: 'sms' }
  for (const hasPhone of [true, false]) {
    const phoneNumber = hasPhone ? '+46701740661' : null
    const person = await portal.person({ loginMethod: 'local2FA', phoneNumber })
    portal.advance(60)
    const own = await factors.signedInByMail(person)
    await factors.addApp(own)
    const mail = (await outbox.messagesTo(person.email)).find(({ template }) => template === 'factor-changed')
    await press(new URL(String(mail?.values.link)).pathname)
    await portal.browser().post('/api/initiate-password-reset', { email: person.email })
    const reset = (await outbox.messagesTo(person.email)).find(({ template }) => template === 'reset-password')
    const token = String(reset?.values.link).split('/').at(-1)
    const passwords = { newPassword: testPassword, confirmNewPassword: testPassword }
    await portal.browser().post('/api/reset-password', { email: person.email, token, ...passwords })
    portal.advance(60)
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    const byMail = await factors.start(browser, person, { codeDeliveryType: 'email' })
    expect(byMail.json().message).toBe('mailNotAfterReset')
    if (hasPhone) {
      expect((await factors.start(browser, person, bySms)).statusCode).toBe(204)
      const [sms] = await outbox.messagesTo('+46701740661')
      await factors.complete(browser, page, person, String(sms?.values.code))
      expect(await isSignedIn(browser)).toBe(true)
    } else {
      const { organizationId } = await portal.organization()
      await portal.join(person.accountId, organizationId)
      const root = await portal.signedIn(await portal.person({ superUser: true }))
      const path = `/api/users/${person.accountId}/recovery`
      expect((await root.get(path)).json()).toMatchObject({ canRecover: true })
      expect((await root.post(path, { reason: 'Known by voice' })).statusCode).toBe(204)
      portal.advance(24 * 3600)
      await createRecoveriesJob(portal.system).run()
    }
    portal.advance(60)
    expect(await isSignedIn(await factors.signedInByMail(person))).toBe(true)
  }
})
