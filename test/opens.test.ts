import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { signInChallenge } from '#server/credentials/passkeys/challenges.ts'
import { createRecoveriesJob } from '#server/features/recoveries/recover-account.ts'
import { authenticator, type Key } from './authenticator.ts'
import { bankIdOf } from './bankid.ts'
import type { Client } from './client.ts'
import { factorsOf } from './factors.ts'
import {
  type Holding,
  holdings,
  type Kind,
  kinds,
  opensPage,
  opensTable,
  type Relayed,
  relayed,
  relayPage,
  relayTable,
} from './opens-table.ts'
import { outboxOf } from './outbox.ts'
import { chosenPassword, type Person, testPassword } from './people.ts'
import { finishSignIn, openSignIn } from './sign-in.ts'
import { type TestApp, testApp } from './test-app.ts'

// What each factor of an account withstands, and what a page gets that passes on what its owner proves.

let portal: TestApp
let outbox: ReturnType<typeof outboxOf>
let factors: ReturnType<typeof factorsOf>
let bankid: ReturnType<typeof bankIdOf>
const device = authenticator()
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '100000/60' })
  outbox = outboxOf(portal)
  factors = factorsOf(portal)
  bankid = bankIdOf(portal)
})
afterAll(() => portal?.close())
beforeEach(() => portal.advance(8 * 24 * 3600))

let phones = 100
const newPhone = () => `+46701740${++phones}`
const isSignedIn = async (browser: Client) => (await browser.get('/api/me')).statusCode === 200

async function addKey(browser: Client, kind: 'passkey' | 'securityKey'): Promise<Key> {
  const options = (await browser.post('/api/profile/passkeys/challenge', { kind })).json()
  const { key, credential } = device.create(options)
  const { statusCode } = await browser.post('/api/profile/passkeys', { name: 'My key', credential })
  expect(statusCode).toBe(201)
  return key
}
const proveKey = async (browser: Client, key: Key) =>
  browser.post('/api/step-up/passkey/verify', {
    credential: device.use(key, (await browser.post('/api/step-up/passkey', {})).json()),
  })

/** An account with this, in an organisation with two admins of long ago. */
async function account(kind: Kind) {
  const { organizationId } = await portal.organization()
  const phoneNumber = kind === 'a confirmed phone' ? newPhone() : null
  const ssn = kind === 'BankID' ? bankid.newNumber() : null
  const person = await portal.person({
    ...{ loginMethod: kind === 'nothing' ? 'local' : 'local2FA', phoneNumber, ssn },
    ...(ssn && { ssnProof: 'bankid' }),
  })
  await portal.join(person.accountId, organizationId)
  if (kind.includes('app') || kind.includes('key')) {
    const own = await factors.signedInByMail(person)
    if (kind.includes('app')) await factors.addApp(own)
    if (kind === 'a passkey') await addKey(own, 'passkey')
    if (kind.includes('security key')) await proveKey(own, await addKey(own, 'securityKey'))
    if (kind.endsWith('switched off'))
      expect((await own.put('/api/profile/factors/mail', { on: false })).statusCode).toBe(204)
  }
  const admins = [await portal.person(), await portal.person()]
  for (const { accountId } of admins) await portal.join(accountId, organizationId, 'organizationAdmin')
  await portal.system.db
    .updateTable('memberships')
    .set({ roleSince: new Date(0) })
    .where('organizationId', '=', organizationId)
    .execute()
  return { person, admins }
}

/** Signs in with a password, and with each code that this somebody can read. */
async function enter({ email }: Person, password: string, reads: { mail: boolean; phone?: string }): Promise<boolean> {
  const alone = portal.browser()
  await finishSignIn(alone, (await openSignIn(alone)).page, email, password)
  if (await isSignedIn(alone)) return true
  for (const [by, to] of [
    ['email', reads.mail ? email : undefined],
    ['sms', reads.phone],
  ] as const) {
    if (to === undefined) continue
    portal.advance(31)
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    const sent = await browser.post('/api/start-2fa-login', { email, password, codeDeliveryType: by })
    if (sent.statusCode !== 204) continue
    const form = { email, login: email, password, code: await outbox.codeSentTo(to) }
    await browser.follow(await browser.submit(`${page}/login`, form))
    if (await isSignedIn(browser)) return true
  }
  return false
}

/** What the mailbox gives: every button is pressed, and a link chooses a new password. */
async function chooseByMail({ email }: Person, { presses }: { presses: boolean }): Promise<void> {
  const mails = await outbox.messagesTo(email)
  const buttons = mails.flatMap(({ values }) => (String(values.link).includes('/not-me/') ? [String(values.link)] : []))
  if (presses) for (const link of buttons) await portal.browser().submit(new URL(link).pathname, {})
  await portal.browser().post('/api/initiate-password-reset', { email })
  const mail = (await outbox.messagesTo(email)).find(({ template }) => template === 'reset-password')
  const token = new URL(String(mail?.values.link)).pathname.split('/').at(-1)
  const passwords = { newPassword: chosenPassword, confirmNewPassword: chosenPassword }
  const answer = await portal.browser().post('/api/reset-password', { email, token, ...passwords })
  expect(answer.statusCode).toBe(204)
}

/** Numbers of somebody else take the place of the owner's. @returns the phone */
async function enterNumbers({ accountId }: Person, admin: Client): Promise<string> {
  const phoneNumber = newPhone()
  const answer = await admin.put('/api/users', { accountId, phoneNumber, ssn: bankid.newNumber() })
  expect(answer.statusCode).toBe(200)
  return phoneNumber
}

/** One asks that the factors end, and the other confirms, or nobody stops it for a day. */
async function takeFactorsOff({ accountId }: Person, admins: Person[], isAtOnce: boolean): Promise<void> {
  const [one, other] = await Promise.all(admins.map((admin) => portal.signedIn(admin)))
  if (!one || !other || !admins[1]) throw new Error('there are two admins')
  await factors.proveCode(other, admins[1])
  const path = `/api/users/${accountId}/recovery`
  await one.post(path, { reason: 'Known by voice' })
  if (isAtOnce) await other.post(`${path}/confirm`)
  else {
    portal.advance(24 * 3600)
    await createRecoveriesJob(portal.system).run()
  }
}

async function attack(kind: Kind, holding: Holding, isSoon: boolean): Promise<boolean> {
  const { person, admins } = await account(kind)
  // The buttons of mails undo what came within two days.
  portal.advance(isSoon ? 60 : 3 * 24 * 3600)
  const hasPassword = !holding.startsWith('the mailbox')
  const mail = !hasPassword || holding === 'both'
  const [admin] = admins
  const phone =
    holding.includes('admin') && admin ? await enterNumbers(person, await portal.signedIn(admin)) : undefined
  if (!hasPassword) await chooseByMail(person, { presses: holding === 'the mailbox' })
  if (holding.endsWith('two admins')) await takeFactorsOff(person, admins, isSoon)
  return enter(person, hasPassword ? testPassword : chosenPassword, { mail, ...(phone && { phone }) })
}

test.each(kinds.flatMap((kind) => holdings.map((holding) => [kind, holding] as const)))(
  'an account with %s is as documented against somebody with %s',
  async (kind, holding) => {
    const opened = [await attack(kind, holding, true), await attack(kind, holding, false)]
    expect(opened.some(Boolean) ? 'opens' : 'stays shut').toBe(opensTable[kind][holding])
  },
)

/** The owner proves this on a page of somebody else, which passes it on. @returns the browser of that page */
async function relay(method: Relayed): Promise<Client> {
  const page = portal.browser()
  const phoneNumber = newPhone()
  const ssn = bankid.newNumber()
  if (method === 'BankID by its QR code') {
    const { email } = await bankid.customer({ ssn })
    await page.follow(await page.get((await bankid.signIn(email, ssn, { browser: page })).location))
    return page
  }
  const person = await portal.person({ loginMethod: method === 'password' ? 'local' : 'local2FA', phoneNumber })
  if (method === 'password') {
    await finishSignIn(page, (await openSignIn(page)).page, person.email)
    return page
  }
  const own = await factors.signedInByMail(person)
  const codeOf = method.endsWith('app') ? await factors.addApp(own) : undefined
  const codes = method.includes('recovery') ? (await own.post('/api/profile/recovery-codes', {})).json().codes : []
  const key = method.endsWith('key') ? await addKey(own, method === 'passkey' ? 'passkey' : 'securityKey') : undefined
  portal.advance(60)
  const step = await openSignIn(page)
  // The browser of the owner signs for the page where it is.
  const abroad = authenticator('https://portal.test.example')
  if (key && method === 'passkey') {
    const challenge = { challenge: signInChallenge(portal.system.keys, step.uid), rpId: 'portal.test' }
    await page.submit(`${step.page}/passkey`, { credential: JSON.stringify(abroad.use(key, challenge)) })
    return page
  }
  const by = method.endsWith('SMS') ? 'sms' : method.endsWith('mail') ? 'email' : undefined
  await factors.start(page, person, by ? { codeDeliveryType: by } : {})
  if (key) {
    const credential = abroad.use(key, (await page.post('/api/2fa-passkey', {})).json())
    await page.post('/api/verify-credentials-passkey', { email: person.email, password: testPassword, credential })
    await page.submit(`${step.page}/login`, { email: person.email, password: '' })
    return page
  }
  const code = codeOf?.() ?? codes[0] ?? (await outbox.codeSentTo(by === 'sms' ? phoneNumber : person.email))
  return factors.complete(page, step.page, person, code)
}

test.each(relayed)('a page that passes on what is proven by %s gets what is documented', async (method) => {
  const page = await relay(method)
  const session = (await isSignedIn(page)) ? 'a session' : 'nothing'
  const calls = [
    await page.post('/api/profile/recovery-codes', {}),
    await page.post('/api/profile/passkeys/challenge', { kind: 'passkey' }),
  ]
  const factor = calls.some(({ statusCode }) => statusCode < 300) ? 'yes' : 'no'
  expect({ session, factor }).toEqual(relayTable[method])
})

test.each([opensPage, relayPage])('docs/accounts.md shows the tested table of %o', (page) => {
  expect(readFileSync(join(import.meta.dirname, '../docs/accounts.md'), 'utf8')).toContain(page())
})
