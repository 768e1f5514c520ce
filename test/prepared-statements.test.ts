import { afterAll, beforeAll, expect, test } from 'vitest'
import { invitationsOf, invite } from './invitations.ts'
import { servicesOf } from './service.ts'
import { submitPassword } from './sign-in.ts'
import { type TestApp, testApp } from './test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
})
afterAll(() => portal?.close())

interface Statement {
  name: string
  statement: string
  generic: number
  custom: number
}

/** Does everything that happens often, some times one after the other, so that one connection does nearly all of it. */
async function statements(): Promise<Statement[]> {
  const services = servicesOf(portal)
  const invites = invitationsOf(portal)
  const { admin, browser: adminBrowser, organizationId } = await invites.organizationWithAdmin()
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId)
  const person = await portal.person()
  await portal.join(person.accountId, organizationId)
  await portal.assign(person.accountId, organizationId, serviceId)
  await invite(adminBrowser, organizationId, 'invited@prepared.example')
  const root = await portal.person({ superUser: true })

  const apiUri = 'https://api.example/prepared'
  await services.register({ apiUri, apiToken: 'opaque' })
  const scopes = ['openid', 'profile', 'email', 'organization', 'organizations']
  const clientId = await services.register({ serviceId, scopes, directoryAccess: true })
  const caller = await services.register({ apis: [apiUri] })

  for (let round = 0; round < 8; round++) {
    const browser = await portal.signedIn(person)
    expect((await browser.get('/api/me')).statusCode).toBe(200)
    const other = portal.browser()
    const { page } = await services.openSignIn(other, clientId)
    await submitPassword(other, page, person.email, 'Wrong-password-1')
    await submitPassword(other, page, person.email)

    const { url } = await browser.follow(await browser.get(services.requestFor(clientId, { scope: scopes.join(' ') })))
    const tokens = await services.tokensAt(clientId, url)
    expect(tokens).toMatchObject({ access_token: expect.any(String) })
    expect((await services.userInfo(tokens.access_token)).statusCode).toBe(200)
    expect(await services.introspect(clientId, tokens.access_token)).toMatchObject({ active: true })
    await services.renew(clientId, tokens.refresh_token)
    const forApi = await browser.follow(await browser.get(services.requestFor(caller, { resource: apiUri })))
    expect(await services.tokensAt(caller, forApi.url)).toMatchObject({ access_token: expect.any(String) })
    const { access_token: own } = await services.tokenFor(clientId, { scope: 'directory' })
    const directory = await portal.browser().get('/api/v1/organizations', { authorization: `Bearer ${own}` })
    expect(directory.statusCode).toBe(200)

    const superUser = await portal.signedIn(root)
    expect((await superUser.get('/api/users')).statusCode).toBe(200)
    expect((await superUser.get(`/api/organizations/${organizationId}/users`)).statusCode).toBe(200)
    const ofAdmin = await portal.signedIn(admin)
    expect((await ofAdmin.get(`/api/organizations/${organizationId}/users`)).statusCode).toBe(200)
    expect((await ofAdmin.get(`/api/services/${serviceId}/${organizationId}/users`)).statusCode).toBe(200)
    // The limits of one address start again.
    portal.advance(3600)
  }
  const { rows } = await portal.system.pool.query(
    'select name, statement, generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements',
  )
  return rows
}

/** What has to be among them, by a part of its text. */
const expected = {
  'the count of an attempt': 'insert into limits',
  'the refund of an attempt': 'when times = 0 then 0',
  'the person with an address': 'from users u where email =',
  'a completed sign-in': 'with used_ticket as',
  'a failed sign-in': 'insert into repeated_failures',
  'an audit event': 'insert into "audit_events"',
  'the session of a request': 'from sessions s join users u',
  'a code or token': "t.model in ('AccessToken'",
  'the token of a machine': "a.model = 'ClientCredentials'",
  'the rows of people of a list': 'select users.account_id as "accountId", email, first_name',
  'the rows of invitations of a list': 'from invitations i where invitation_id = any',
}

test('PostgreSQL plans no statement of a request that happens often for each call', async () => {
  // It makes five plans for the values before it compares them with one for any values.
  const used = (await statements()).filter(({ generic, custom }) => generic + custom > 5)
  const missing = Object.entries(expected).filter(([, part]) => !used.some(({ statement }) => statement.includes(part)))
  expect(missing).toEqual([])
  expect(used.filter(({ custom }) => custom > 5)).toEqual([])
})
