import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { chosenPassword, testPassword } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

/** In the file that the portal of this test has. */
const leaked = 'Vestibule-leaked-1'
const passwords = { newPassword: leaked, confirmNewPassword: leaked }

let portal: TestApp
beforeAll(async () => {
  portal = await testApp({ LEAKED_PASSWORDS_FILE: join(import.meta.dirname, '../../test/leaked-passwords.txt') })
})
afterAll(() => portal.close())

const mustChange = async (browser: Client) =>
  (await browser.get('/api/organizations')).json().message === 'passwordMustChange'
const refusal = (answer: Awaited<ReturnType<Client['post']>>) => [answer.statusCode, answer.json().issues]

test('a leaked password is refused wherever somebody chooses one', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  const change = await browser.put('/api/profile/password', { oldPassword: testPassword, ...passwords })
  expect(refusal(change)).toEqual([422, [{ path: 'newPassword', message: 'passwordLeaked' }]])

  const root = await portal.signedIn(await portal.person({ superUser: true }))
  const form = { email: newEmail(), firstName: 'Nina', lastName: 'Ny', loginMethod: 'local' }
  const created = await root.post('/api/users', { ...form, password: leaked, confirmNewPassword: leaked })
  expect(refusal(created)).toEqual([422, [{ path: 'password', message: 'passwordLeaked' }]])

  const invites = invitationsOf(portal)
  const { browser: admin, organizationId } = await invites.organizationWithAdmin()
  const email = newEmail()
  await invite(admin, organizationId, email)
  const token = await invites.mailedToken(email)
  const accepted = await invites.accept(email, token, { password: leaked, confirmNewPassword: leaked })
  expect(refusal(accepted)).toEqual([422, [{ path: 'password', message: 'passwordLeaked' }]])
})

test('who has one is asked to choose another at the sign-in, is not locked out, and it is an event once', async () => {
  const person = await portal.person({ password: leaked })
  const browser = await portal.signedIn(person, leaked)
  expect(await mustChange(browser)).toBe(true)
  await portal.signedIn(person, leaked)
  const events = await portal.system.db
    .selectFrom('auditEvents')
    .select('name')
    .where('targetId', '=', person.accountId)
    .orderBy('id')
    .execute()
  expect(events.map(({ name }) => name)).toEqual(['findLeakedPassword', 'loginSuccess', 'loginSuccess'])
  const chosen = { newPassword: chosenPassword, confirmNewPassword: chosenPassword }
  expect((await browser.put('/api/profile/password', { oldPassword: leaked, ...chosen })).statusCode).toBe(204)
  expect(await mustChange(browser)).toBe(false)
})

test('a password that has not leaked is not asked about', async () => {
  expect(await mustChange(await portal.signedIn(await portal.person()))).toBe(false)
})
