import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { chosenPassword, testPassword } from '#test/people.ts'
import { servicesOf } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// An account that somebody opened at another person's address, and what its owner gets when the mailed link is used.

let portal: TestApp
let invites: ReturnType<typeof invitationsOf>
let services: ReturnType<typeof servicesOf>
beforeAll(async () => {
  portal = await testApp()
  invites = invitationsOf(portal)
  services = servicesOf(portal)
})
afterAll(() => portal?.close())

const subOf = ({ tokens }: { tokens: { id_token: string } }) => decodeJwt(tokens.id_token).sub

/** An admin of A has opened an account at the address of somebody else, and signed it in to a service. */
async function stolen() {
  const [a, b] = [await invites.organizationWithAdmin(), await invites.organizationWithAdmin()]
  const email = newEmail()
  await invite(a.browser, a.organizationId, email)
  const secret = { password: testPassword, confirmNewPassword: testPassword }
  await invites.accept(email, await invites.shownToken(a.browser, email, a.organizationId), secret)
  const { accountId = '' } = (await invites.userOf(email)) ?? {}
  const clientId = await services.register({ backchannelLogoutUri: 'http://127.0.0.1:1/backchannel' })
  const thief = await services.signInTo(clientId, { email, accountId })
  expect(subOf(thief)).toBe(accountId)
  return { a, b, email, accountId, clientId, thief }
}

/** What of the whole database still has the id, outside the log and the names that the log shows. */
async function rowsWith(accountId: string) {
  const { db } = portal.system
  return {
    sessions: await db.selectFrom('sessions').select('accountId').where('accountId', '=', accountId).execute(),
    tokens: await db.selectFrom('providerArtifacts').select('accountId').where('accountId', '=', accountId).execute(),
    users: await db.selectFrom('users').select('accountId').where('accountId', '=', accountId).execute(),
  }
}
const nothing = { sessions: [], tokens: [], users: [] }

describe('an account at an address that nobody has proven', () => {
  test('ends when the owner uses the mailed link: the owner gets another id, and services are told', async () => {
    const { a, b, email, accountId, clientId, thief } = await stolen()
    await invite(b.browser, b.organizationId, email)
    expect((await invites.accept(email, await invites.mailedToken(email))).statusCode).toBe(204)
    expect((await thief.browser.get('/api/me')).statusCode).toBe(401)
    expect((await services.userInfo(thief.tokens.access_token)).statusCode).toBe(401)
    expect(await rowsWith(accountId)).toEqual(nothing)
    const told = await portal.system.db.selectFrom('logoutDeliveries').select(['accountId', 'state']).execute()
    expect(told).toContainEqual({ accountId, state: 'queued' })
    // What the thief prepared at the service waits for nobody.
    const owner = await portal.signedIn({ email, accountId: '' }, chosenPassword)
    const { response } = await owner.follow(await owner.get(services.requestFor(clientId), { accept: 'text/html' }))
    const { tokens } = { tokens: await services.tokensAt(clientId, String(response.headers.location)) }
    const successor = (await invites.userOf(email))?.accountId
    expect(successor).not.toBe(accountId)
    expect(subOf({ tokens })).toBe(successor)
    expect((await owner.get('/api/invites/mine')).json()).toMatchObject([{ organizationName: a.name }])
  })

  test.each(['the owner', 'the admin who opened it'])(
    'ends, too, when the owner chooses a new password by the mailed link that %s asked for',
    async (asking) => {
      const { a, email, accountId, clientId, thief } = await stolen()
      const browser = asking === 'the owner' ? portal.browser() : a.browser
      await browser.post('/api/initiate-password-reset', { email })
      const link = String(
        (await invites.mailsTo(email)).find(({ template }) => template === 'reset-password')?.values.link,
      )
      const form = {
        email,
        token: link.split('/').at(-1),
        newPassword: chosenPassword,
        confirmNewPassword: chosenPassword,
      }
      expect((await portal.browser().post('/api/reset-password', form)).statusCode).toBe(204)
      expect((await portal.browser().post('/api/reset-password', form)).statusCode).toBe(404)
      expect((await thief.browser.get('/api/me')).statusCode).toBe(401)
      expect((await services.userInfo(thief.tokens.access_token)).statusCode).toBe(401)
      expect(await rowsWith(accountId)).toEqual(nothing)
      const owner = await portal.signedIn({ email, accountId: '' }, chosenPassword)
      const { response } = await owner.follow(await owner.get(services.requestFor(clientId), { accept: 'text/html' }))
      const tokens = await services.tokensAt(clientId, String(response.headers.location))
      const successor = await invites.userOf(email)
      expect(successor).toMatchObject({ emailProof: 'mailedLink', openedFor: null })
      expect(subOf({ tokens })).toBe(successor?.accountId)
      expect(successor?.accountId).not.toBe(accountId)
      // What A gave waits for a yes.
      const [waiting] = (await owner.get('/api/invites/mine')).json()
      expect(waiting).toMatchObject({ organizationName: a.name })
      expect((await owner.post(`/api/invites/${waiting.invitationId}/join`)).statusCode).toBe(204)
    },
  )

  test('is told with both ids to the operator and to its organisation, and not to the inviting one', async () => {
    const { a, b, email, accountId } = await stolen()
    await invite(b.browser, b.organizationId, email)
    await invites.accept(email, await invites.mailedToken(email))
    const successor = (await invites.userOf(email))?.accountId
    const superUser = await portal.signedIn(await portal.person({ superUser: true }))
    const about = `/api/audit-events?nameFilter=deleteUser&targetIdFilter=${accountId}`
    const [event] = (await superUser.get(about)).json().items
    expect(event.changes).toContainEqual({ property: 'replacedBy', previousValue: null, newValue: successor })
    const read = (await superUser.get(`/api/audit-events/${event.id}`)).json()
    expect(read).toMatchObject({ targetId: accountId, actorLink: { kind: 'user', id: successor } })
    expect((await a.browser.get(about)).json().items).toMatchObject([{ id: event.id, actor: null, target: email }])
    expect((await b.browser.get('/api/audit-events')).body).not.toContain(accountId)
  })
})
