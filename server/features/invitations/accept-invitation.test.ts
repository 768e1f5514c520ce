import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LoginMethod } from '#contract/roles.ts'
import { testPersonalNumber } from '#server/demo/test-personal-number.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { chosenPassword } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let invites: ReturnType<typeof invitationsOf>
beforeAll(async () => {
  portal = await testApp({ LIMIT_TOKEN_LOOKUP: '1000/600' })
  invites = invitationsOf(portal)
})
afterAll(() => portal?.close())

const ssn = '199908072391'
const both = (password: string) => ({ password, confirmNewPassword: password })
const withoutPassword = (loginMethod: LoginMethod, number: string) => ({
  loginMethod,
  ssn: number,
  password: undefined,
  confirmNewPassword: undefined,
})
const asText = (issue: { path: string; message: string }) => `${issue.path} ${issue.message}`

/** A new person, with the token from the mail. */
async function invited(loginMethod: LoginMethod = 'local') {
  const { browser, organizationId } = await invites.organizationWithAdmin(loginMethod)
  const email = newEmail()
  await invite(browser, organizationId, email)
  return { browser, organizationId, email, token: await invites.mailedToken(email) }
}

describe('a person who accepts', () => {
  test.each(['local', 'local2FA'] as const)('with %s has an active account immediately', async (loginMethod) => {
    const { email, token, organizationId } = await invited(loginMethod)
    const response = await invites.accept(email, token, { loginMethod })
    expect([response.statusCode, response.body]).toEqual([204, ''])
    expect(await invites.userOf(email)).toMatchObject({ pending: false, firstName: 'Nina', lastName: 'Ny' })
    const [, accepted, ...more] = await invites.eventsOf(email)
    expect(more).toEqual([])
    expect(accepted).toMatchObject({ name: 'acceptInvite', actor: email, organizationIds: [organizationId] })
    expect(JSON.stringify(accepted)).not.toContain(chosenPassword)
    if (loginMethod === 'local') await portal.signedIn({ accountId: '', email }, chosenPassword)
  })

  test.each([
    ['bankid', ssn],
    ['saml', '201701102384'],
  ] as const)('with %s waits for the first sign-in that matches', async (loginMethod, number) => {
    const { browser, organizationId, email, token } = await invited(loginMethod)
    const listed = async () =>
      (await browser.get(`/api/organizations/${organizationId}/users?searchQuery=${email}`)).json().items
    expect(await listed()).toMatchObject([{ pending: true, awaitsSignIn: false }])
    expect((await invites.acceptWithSsn(email, token, loginMethod, number)).statusCode).toBe(204)
    expect(await invites.userOf(email)).toMatchObject({ pending: true, firstName: 'Nina', passwordHash: null })
    expect(await listed()).toMatchObject([{ pending: false, awaitsSignIn: true }])
    expect((await invites.acceptWithSsn(email, token, loginMethod, number)).statusCode).toBe(404)
    const [, accepted, ...more] = await invites.eventsOf(email)
    expect([accepted?.name, more]).toEqual(['acceptInvite', []])
    expect(JSON.stringify(accepted?.changes)).toContain(`${number.slice(0, 8)}-****`)
  })

  test('after a mistyped number gets a new link and may give another one', async () => {
    const { browser, organizationId, email, token } = await invited('bankid')
    await invites.acceptWithSsn(email, token, 'bankid', testPersonalNumber('19850709'))
    expect((await invites.userOf(email))?.ssnSealed).not.toBeNull()
    portal.advance(300)
    expect((await browser.post('/api/invites/resend-invite', { email, organizationId })).statusCode).toBe(204)
    expect(await invites.userOf(email)).toBeUndefined()
    expect((await invites.eventsOf(email)).at(-1)?.changes).toContainEqual({
      property: 'ssn',
      previousValue: '19850709-****',
      newValue: null,
    })
    const again = await invites.mailedToken(email)
    expect((await invites.acceptWithSsn(email, again, 'bankid', '191212121212')).statusCode).toBe(204)
  })

  test.each(['bankid', null] as const)(
    'with the number of another person (proof: %s) learns nothing of that, by either link',
    async (ssnProof) => {
      const number = testPersonalNumber(ssnProof ? '19850712' : '19850713')
      await portal.person({ ssn: number, ssnProof })
      const { browser, organizationId, ...first } = await invited('bankid')
      expect((await invites.acceptWithSsn(first.email, first.token, 'bankid', number)).statusCode).toBe(204)
      const email = newEmail()
      await invite(browser, organizationId, email)
      const shown = await invites.shownToken(browser, email, organizationId)
      expect((await invites.acceptWithSsn(email, shown, 'bankid', number)).statusCode).toBe(204)
    },
  )

  test('with the eleventh number in a day is told to wait, also after new invitations of the same organisation', async () => {
    const { browser, organizationId, email, token } = await invited('bankid')
    const tried = []
    let current = token
    for (let times = 1; times <= 11; times++) {
      const { statusCode } = await invites.acceptWithSsn(
        email,
        current,
        'bankid',
        testPersonalNumber(`198507${times + 10}`),
      )
      tried.push(statusCode)
      portal.advance(300)
      await browser.post('/api/invites/resend-invite', { email, organizationId })
      current = await invites.mailedToken(email)
    }
    expect(tried).toEqual([...Array(10).fill(204), 429])
  })

  test('counts numbers for the organisation and the admin who invited, whatever addresses they invent', async () => {
    const { organizationId, browser, email, token } = await invited('bankid')
    const { invitedBy } = (await invites.invitationOf(email)) ?? {}
    const { limits, db } = portal.system
    for (const key of [organizationId, String(invitedBy)]) {
      const all = [{ name: 'ssnOfPeople', key, times: 5000 }] as const
      await limits.take(db, all, portal.now())
      expect((await invites.acceptWithSsn(email, token, 'bankid', '191212121212')).statusCode).toBe(429)
      await limits.forget(db, all)
    }
    expect((await invites.acceptWithSsn(email, token, 'bankid', '191212121212')).statusCode).toBe(204)
    await limits.take(db, [{ name: 'invitationOfOrganization', key: organizationId, times: 500 }], portal.now())
    expect((await invite(browser, organizationId, newEmail())).statusCode).toBe(429)
  })

  test('with twenty concurrent requests succeeds once, with one event', async () => {
    const { email, token } = await invited()
    const answers = await Promise.all(Array.from({ length: 20 }, () => invites.accept(email, token)))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([204, ...Array(19).fill(404)])
    const events = await invites.eventsOf(email)
    expect(events.map((event) => event.name)).toEqual(['inviteUser', 'acceptInvite'])
  })

  test('with an address or method that does not match the link is refused', async () => {
    const { browser, organizationId, email, token } = await invited('bankid')
    const other = newEmail()
    await invite(browser, organizationId, other)
    expect((await invites.acceptWithSsn(other, token, 'bankid', ssn)).statusCode).toBe(404)
    expect((await invites.accept(email, token)).statusCode).toBe(404)
    expect((await invites.acceptWithSsn(email, token, 'saml', ssn)).statusCode).toBe(404)
    expect(await invites.userOf(email)).toBeUndefined()
  })

  test.each([
    ['no names', { firstName: ' ', lastName: '' }, ['firstName required', 'lastName required']],
    ['a short password', both('Kort-1'), ['password passwordTooShort']],
    ['two different passwords', { confirmNewPassword: 'Other-1' }, ['confirmNewPassword passwordsDoNotMatch']],
    ['a common password', both('Password1234!'), ['password passwordTooCommon']],
    ['the own name as password', both('Nina-2026-abcd'), ['password passwordTooCommon']],
    ['no password', both(undefined as never), ['password required']],
    ['a password for BankID', { loginMethod: 'bankid', ssn }, ['password passwordNotForMethod']],
    ['no number for BankID', withoutPassword('bankid', ''), ['ssn requiredWithBankId']],
    ['a wrong number', withoutPassword('saml', '199908072392'), ['ssn ssnInvalidDigits']],
  ])('with %s gets an error at the field, and can try again', async (_, form, issues) => {
    const { email, token } = await invited()
    const response = await invites.accept(email, token, form)
    expect([response.statusCode, response.json().issues.map(asText)]).toEqual([422, issues])
    expect((await invites.accept(email, token)).statusCode).toBe(204)
  })

  test('with the name of the organisation as password gets an error', async () => {
    const { organizationId } = await portal.organization('Storkontoret')
    const superUser = await portal.signedIn(await portal.person({ superUser: true }))
    const email = newEmail()
    await invite(superUser, organizationId, email)
    const response = await invites.accept(email, await invites.mailedToken(email), both('Storkontoret-26!'))
    expect(response.json().issues.map(asText)).toEqual(['password passwordTooCommon'])
  })
})
