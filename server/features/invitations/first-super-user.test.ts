import { afterEach, expect, test } from 'vitest'
import { invitationsOf } from '#test/invitations.ts'
import { chosenPassword } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { inviteFirstSuperUser } from './first-super-user.ts'

const email = 'first@vestibule.example'
let portal: TestApp
afterEach(() => portal?.close())

async function start() {
  const said: string[] = []
  await inviteFirstSuperUser(portal.system, (line) => said.push(line))
  return said
}

test('the first super user is invited once, however many processes start, and can accept and sign in', async () => {
  portal = await testApp({ BOOTSTRAP_EMAIL: 'First@Vestibule.example' })
  const invites = invitationsOf(portal)
  const said = await Promise.all([start(), start(), start()])
  for (const lines of said) expect(lines).toEqual([expect.stringContaining('http://portal.test/dev/outbox')])
  expect(await invites.mailsTo(email)).toEqual([
    expect.objectContaining({
      template: 'user-invite',
      values: expect.objectContaining({ organizationName: null, inviterName: null }),
    }),
  ])
  const token = await invites.mailedToken(email)
  expect((await invites.find(token)).json()).toMatchObject({ email, loginMethod: 'local', organizationName: null })
  expect((await invites.accept(email, token)).statusCode).toBe(204)
  const theirs = await portal.signedIn({ accountId: '', email }, chosenPassword)
  expect((await theirs.get('/api/me')).json()).toMatchObject({ superUser: true })
  expect((await invites.eventsOf(email)).map((event) => event.name)).toEqual(['inviteUser', 'acceptInvite'])
  expect(await start()).toEqual([])
  expect(await invites.mailsTo(email)).toHaveLength(1)
})

test('an expired invitation of the first super user is sent again at the next start', async () => {
  portal = await testApp({ BOOTSTRAP_EMAIL: email })
  const invites = invitationsOf(portal)
  await start()
  const old = await invites.mailedToken(email)
  portal.advance(7 * 24 * 3600)
  await start()
  expect(await invites.mailsTo(email)).toHaveLength(2)
  expect((await invites.find(old)).statusCode).toBe(404)
  expect((await invites.find(await invites.mailedToken(email))).statusCode).toBe(200)
})

test('no one is invited when there is a super user, and an existing account is not promoted', async () => {
  portal = await testApp({ BOOTSTRAP_EMAIL: email })
  await portal.person({ email })
  expect(await start()).toEqual([expect.stringContaining('create-super-user')])
  await portal.person({ superUser: true })
  expect(await start()).toEqual([])
  expect(await invitationsOf(portal).mailsTo(email)).toEqual([])
})
