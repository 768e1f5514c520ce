import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LoginMethod } from '#contract/roles.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { chosenPassword } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let invites: ReturnType<typeof invitationsOf>
beforeAll(async () => {
  portal = await testApp()
  invites = invitationsOf(portal)
})
afterAll(() => portal?.close())

const password = { password: chosenPassword, confirmNewPassword: chosenPassword }
const number = { ssn: '199908072391' }

/** A person whom an admin has invited, with both links. */
async function invited(loginMethod: LoginMethod = 'local') {
  const { browser, organizationId, name } = await invites.organizationWithAdmin(loginMethod)
  const email = newEmail()
  await invite(browser, organizationId, email)
  const shown = loginMethod === 'saml' ? '' : await invites.shownToken(browser, email, organizationId)
  return { admin: browser, organizationId, name, email, loginMethod, mailed: await invites.mailedToken(email), shown }
}
type Invited = Pick<Awaited<ReturnType<typeof invited>>, 'email' | 'loginMethod'>

const accept = ({ email, loginMethod }: Invited, token: string, browser: Client) => {
  const proof = loginMethod === 'local' || loginMethod === 'local2FA' ? password : number
  return browser.post('/api/invites/accept', { email, token, firstName: 'Nina', lastName: 'Ny', loginMethod, ...proof })
}
/** What the page does once the invitation is accepted. */
const goOn = async (browser: Client, email: string) => {
  const { url } = await browser.follow(
    await browser.get(`/login?${new URLSearchParams({ email, method: 'invitation' })}`),
  )
  return url.replace(/(?<=^\/interaction\/)[^/?]+/, 'uid')
}
const whoIs = async (browser: Client) => (await browser.get('/api/me')).json().email
const stepOf = (email: string) => `/interaction/uid/login?${new URLSearchParams({ email })}`

describe('a person who accepts by the mailed link', () => {
  test.each([
    ['local', 'password'],
    ['local2FA', 'passwordAndEmailCode'],
  ] as const)('with %s is signed in and on the launcher, once', async (loginMethod, signedInWith) => {
    const person = await invited(loginMethod)
    const browser = portal.browser()
    expect((await accept(person, person.mailed, browser)).statusCode).toBe(204)
    expect(await goOn(browser, person.email)).toBe('/')
    const me = (await browser.get('/api/me')).json()
    expect(me).toMatchObject({ email: person.email, signedInWith })
    const [own] = (await browser.get(`/api/users/${me.accountId}/organizations`)).json()
    expect(own).toMatchObject({ organizationId: person.organizationId, needs: null })
    const logins = portal.system.db.selectFrom('auditEvents').select('name').where('target', '=', person.email)
    expect(await logins.where('name', '=', 'loginSuccess').execute()).toHaveLength(1)
    // The same browser, later, has to sign in.
    await browser.submit('/logout', {})
    expect(await goOn(browser, person.email)).toBe(stepOf(person.email))
  })

  test.each(['local', 'local2FA'] as const)(
    'with %s proves nothing fresh: a link that was passed on adds no factor',
    async (loginMethod) => {
      const person = await invited(loginMethod)
      const browser = portal.browser()
      await accept(person, person.mailed, browser)
      await goOn(browser, person.email)
      for (const call of ['/api/profile/app', '/api/profile/recovery-codes']) {
        const { statusCode, body } = await browser.post(call, {})
        expect([call, statusCode]).toEqual([call, 403])
        expect(['codeRequired', 'freshProofRequired']).toContain(JSON.parse(body).message)
      }
      expect((await browser.get('/api/step-up?for=factor')).json()).toEqual({ fresh: false, steps: ['password'] })
    },
  )

  test.each(['bankid', 'saml'] as const)('with %s comes to that at once, and is not in before', async (loginMethod) => {
    const person = await invited(loginMethod)
    const browser = portal.browser()
    expect((await accept(person, person.mailed, browser)).statusCode).toBe(204)
    expect(await goOn(browser, person.email)).toBe(stepOf(person.email))
    expect((await browser.get('/api/me')).statusCode).toBe(401)
  })

  test('in a browser where somebody else is signed in takes over from them, and their session is over', async () => {
    const person = await invited()
    const { admin } = person
    const session = { ...admin.cookies() }
    await accept(person, person.mailed, admin)
    expect(await goOn(admin, person.email)).toBe('/')
    expect(await whoIs(admin)).toBe(person.email)
    const kept = portal.browser()
    for (const [name, value] of Object.entries(session)) kept.setCookie(name, value)
    expect((await kept.get('/api/me')).statusCode).toBe(401)
  })

  test('is asked for more where the organisation takes no mailed code', async () => {
    const person = await invited('local2FA')
    const operator = await portal.signedIn(await portal.person({ superUser: true }))
    await operator.put(`/api/organizations/${person.organizationId}/sign-in-rules`, {
      ...{ secondFactors: ['app', 'passkey'], strongAdminsFrom: null },
      ...{ sessionIdleMinutes: null, sessionMaxHours: null, maxPasswordAgeDays: null },
    })
    const browser = portal.browser()
    await accept(person, person.mailed, browser)
    await goOn(browser, person.email)
    const { accountId } = (await browser.get('/api/me')).json()
    const [own] = (await browser.get(`/api/users/${accountId}/organizations`)).json()
    expect(own).toMatchObject({ needs: 'local2FA', factors: ['passkey', 'app'] })
  })
})

describe('nobody is signed in', () => {
  test('by the link that an admin can read', async () => {
    const person = await invited()
    const browser = portal.browser()
    expect((await accept(person, person.shown, browser)).statusCode).toBe(204)
    expect(await goOn(browser, person.email)).toBe(stepOf(person.email))
    expect((await browser.get('/api/me')).statusCode).toBe(401)
  })

  test('by a link that was used before, or at the same time by another browser', async () => {
    const person = await invited()
    const browsers = [portal.browser(), portal.browser(), portal.browser()]
    const answers = await Promise.all(browsers.map((browser) => accept(person, person.mailed, browser)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 404, 404])
    await Promise.all(browsers.map((browser) => goOn(browser, person.email)))
    const signedIn = await Promise.all(browsers.map(async (browser) => (await browser.get('/api/me')).statusCode))
    expect(signedIn).toEqual(answers.map(({ statusCode }) => (statusCode === 204 ? 200 : 401)))
    const forwarded = portal.browser()
    expect((await accept(person, person.mailed, forwarded)).statusCode).toBe(404)
    expect(await goOn(forwarded, person.email)).toBe(stepOf(person.email))
  })

  test('to an account that was there already', async () => {
    const { browser: admin, organizationId } = await invites.organizationWithAdmin()
    const { email } = await portal.person()
    await invite(admin, organizationId, email)
    const browser = portal.browser()
    const refused = await accept({ email, loginMethod: 'local' }, await invites.mailedToken(email), browser)
    expect([refused.statusCode, refused.json().message]).toEqual([409, 'signInToAccept'])
    expect(await goOn(browser, email)).toBe(stepOf(email))
  })

  test('to an account of another address, after a minute, or once everything of the account was ended', async () => {
    for (const spoil of ['address', 'time', 'epoch', 'lock'] as const) {
      const person = await invited()
      const browser = portal.browser()
      await accept(person, person.mailed, browser)
      const { db } = portal.system
      const own = db.updateTable('users').where('email', '=', person.email)
      if (spoil === 'time') portal.advance(61)
      if (spoil === 'epoch') await own.set((eb) => ({ authEpoch: eb('authEpoch', '+', 1) })).execute()
      if (spoil === 'lock') await own.set({ signInLockedAt: portal.now() }).execute()
      const email = spoil === 'address' ? (await portal.person()).email : person.email
      expect([spoil, await goOn(browser, email)]).toEqual([spoil, stepOf(email)])
      expect((await browser.get('/api/me')).statusCode).toBe(401)
    }
  })

  test('twice by what one acceptance earned', async () => {
    const person = await invited()
    const browser = portal.browser()
    await accept(person, person.mailed, browser)
    const { ticket = '' } = browser.cookies('/login')
    const twin = portal.browser()
    twin.setCookie('ticket', ticket)
    const ends = await Promise.all([goOn(browser, person.email), goOn(twin, person.email)])
    expect(ends.filter((end) => end === '/')).toHaveLength(1)
  })
})
