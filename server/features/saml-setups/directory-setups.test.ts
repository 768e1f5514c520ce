import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { directoryOf } from '#test/directory.ts'
import { outboxOf } from '#test/outbox.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
const operator = 'root@links.example'
beforeAll(async () => {
  portal = await testApp({ LIMIT_SAML_SETUP: '1000/60' })
  await portal.person({ superUser: true, email: operator })
})
afterAll(() => portal?.close())

const root = () => portal.signedIn({ email: operator, accountId: '' })

/** A link as the IT has it, in a browser without an account. */
function linkOf(url: string) {
  const token = new URL(url).pathname.split('/')[2] ?? ''
  const it = portal.browser()
  const call = (what: string, more: object = {}) => it.post(`/api/saml-setup${what}`, { token, ...more })
  return { token, call, newToken: (name = 'Entra ID') => call('/directory/tokens', { name }) }
}

/** An organisation, the address of its links, and a link that its admin has made for the IT. */
async function customer() {
  const here = await directoryOf(portal)
  // The customer has not connected anything yet.
  for (const { tokenId } of (await here.browser.get(here.url)).json().tokens)
    await here.browser.delete(`${here.url}/tokens/${tokenId}`)
  const links = `${here.url}/setup-links`
  const made = await here.browser.post(links, {})
  expect(made.statusCode, made.body).toBe(201)
  return { ...here, links, setupId: made.json().setupId, ...linkOf(made.json().url) }
}

const callWith = (bearer: string) =>
  portal.app.inject({ url: '/scim/v2/Users', headers: { host: 'portal.test', authorization: `Bearer ${bearer}` } })

const eventsOf = async (organizationId: string) =>
  (
    await portal.system.db
      .selectFrom('auditEvents')
      .select(['name', 'actor', 'organizationIds'])
      .where('targetId', '=', organizationId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
  ).map(({ name, actor, organizationIds }) => ({ name, actor, mine: organizationIds.includes(organizationId) }))

const told = async (address: string) =>
  (await outboxOf(portal).messagesTo(address))
    .filter(({ template }) => template === 'sign-in-to-check')
    .map(({ values }) => values)

describe('the IT of an organisation, with a link for the directory', () => {
  test('connects it without an account: gets the address and a token once, and sees that the first request came', async () => {
    const { call, newToken, organizationName, organizationId, browser, url } = await customer()
    const found = (await call('')).json()
    expect(found).toMatchObject({ organizationName, signIn: false, state: 'open' })
    expect(found.directory).toEqual({ address: 'http://portal.test/scim/v2', tokens: [], full: false })
    const answer = await newToken()
    expect(answer.statusCode, answer.body).toBe(201)
    const { made, directory } = answer.json()
    expect(made).toMatch(/^vst_scim_[\w-]{43}$/)
    const expiresAt = new Date(portal.now().getTime() + 365 * 86_400_000).toISOString()
    expect(directory.tokens).toMatchObject([{ name: 'Entra ID', expiresAt, lastUsedAt: null }])
    expect((await callWith(made)).statusCode).toBe(200)
    const seen = (await call('/directory')).json()
    expect(seen.tokens).toMatchObject([{ lastUsedAt: portal.now().toISOString() }])
    expect(JSON.stringify([seen, (await call('')).json()])).not.toContain('vst_scim')
    expect((await browser.get(url)).json().tokens).toMatchObject([{ name: 'Entra ID' }])
    expect((await eventsOf(organizationId)).at(-2)).toEqual({
      ...{ name: 'createScimToken', actor: '/saml-setup (SCIM)', mine: true },
    })
  })

  test('the operator and the admins get a mail of each token', async () => {
    const { newToken, organizationName: name, organizationId, admin } = await customer()
    await newToken()
    const values = { what: 'directory', name, path: `/organization-directory/${organizationId}` }
    expect(await told(admin.email)).toMatchObject([values])
    expect(await told(operator)).toContainEqual(expect.objectContaining(values))
  })

  test('makes two tokens at most, and sees neither those of admins nor how often they are used', async () => {
    const { call, newToken, browser, url } = await customer()
    await browser.post(`${url}/tokens`, { name: 'Of an admin', days: '90' })
    expect((await newToken('Okta')).json().directory).toMatchObject({ full: true, tokens: [{ name: 'Okta' }] })
    const third = await newToken()
    expect([third.statusCode, third.json().message]).toEqual([409, 'tooManyScimTokens'])
    expect((await call('/directory')).body).not.toContain('Of an admin')
  })

  test('does nothing about the sign-in', async () => {
    const { call } = await customer()
    const given = { url: 'https://login.example', clientId: 'portal', clientSecret: 'a-secret-of-the-company' }
    const attempts = [
      call('/metadata', { metadata: '<x/>' }),
      call('/metadata-address', { address: 'https://idp.example' }),
      call('/oidc', given),
      call('/test'),
      call('/hand-in', { version: 1 }),
    ]
    for (const answer of await Promise.all(attempts))
      expect([answer.statusCode, answer.json().message]).toEqual([404, 'setupLinkInvalid'])
  })

  test('has nothing in hand any more after the link has ended, was replaced, or its time is over; the token stays', async () => {
    const { call, newToken, browser, links, setupId } = await customer()
    const { made } = (await newToken()).json()
    const second = (await browser.post(links, {})).json()
    expect((await call('')).statusCode).toBe(404)
    expect((await browser.get(links)).json()).toMatchObject([{ setupId: second.setupId, signIn: false }])
    const next = linkOf(second.url)
    expect((await next.call('/directory')).json().tokens).toEqual([])
    expect((await browser.delete(`${links}/${second.setupId}`)).statusCode).toBe(204)
    for (const answer of await Promise.all([next.call(''), next.call('/directory'), next.newToken()]))
      expect([answer.statusCode, answer.json().message]).toEqual([404, 'setupLinkInvalid'])
    expect((await browser.delete(`${links}/${setupId}`)).statusCode).toBe(404)
    const third = linkOf((await browser.post(links, {})).json().url)
    portal.advance(72 * 3600 + 1)
    expect((await third.newToken()).statusCode).toBe(404)
    expect((await callWith(made)).statusCode).toBe(200)
  })
})

describe('a link for the sign-in', () => {
  const ofOperator = async (more: object = {}) => {
    const { organizationId } = await portal.organization()
    const made = (await (await root()).post('/api/saml-setups', { organizationId, ...more })).json()
    return { organizationId, setupId: made.setupId, ...linkOf(made.url) }
  }

  test('gives no token for the directory, unless who made it said so', async () => {
    const without = await ofOperator()
    expect((await without.call('')).json()).toMatchObject({ signIn: true, directory: null })
    for (const answer of [await without.newToken(), await without.call('/directory')])
      expect([answer.statusCode, answer.json().message]).toEqual([404, 'setupLinkInvalid'])
    const withIt = await ofOperator({ directory: true })
    expect((await withIt.call('')).json()).toMatchObject({ signIn: true, directory: { tokens: [] } })
    expect((await withIt.newToken()).statusCode).toBe(201)
  })

  test('loses the directory by an admin of the organisation, and stays for the sign-in', async () => {
    const { organizationId, setupId, call, newToken } = await ofOperator({ directory: true })
    const admin = await portal.person()
    await portal.join(admin.accountId, organizationId, 'organizationAdmin')
    const browser = await portal.signedIn(admin)
    const links = `/api/organizations/${organizationId}/directory/setup-links`
    expect((await browser.get(links)).json()).toMatchObject([{ setupId, signIn: true }])
    expect((await browser.delete(`${links}/${setupId}`)).statusCode).toBe(204)
    expect((await newToken()).statusCode).toBe(404)
    expect((await call('')).json()).toMatchObject({ signIn: true, directory: null })
  })

  test('that was approved still connects the directory, until the operator revokes it', async () => {
    const { setupId, call, newToken } = await ofOperator({ directory: true })
    const given = { url: 'https://login.example', clientId: 'portal', clientSecret: 'a-secret-of-the-company' }
    const { version } = (await call('/oidc', given)).json()
    await call('/hand-in', { version })
    const browser = await root()
    const decided = { name: 'Linked', domain: 'https://linked.example', active: false, version: version + 1 }
    const approved = await browser.post(`/api/saml-setups/${setupId}/approve`, decided)
    expect(approved.statusCode, approved.body).toBe(200)
    expect((await newToken()).statusCode).toBe(201)
    const listed = (await browser.get('/api/saml-setups')).json()
    expect(listed).toContainEqual(expect.objectContaining({ setupId, state: 'approved', directory: true }))
    expect((await browser.post(`/api/saml-setups/${setupId}/revoke`)).statusCode).toBe(204)
    expect((await newToken()).statusCode).toBe(404)
  })
})

test('an admin of another organisation neither sees nor ends a link', async () => {
  const [{ links, setupId, call }, other] = [await customer(), await customer()]
  expect((await other.browser.get(links)).statusCode).toBe(404)
  expect((await other.browser.post(links, {})).statusCode).toBe(404)
  for (const path of [links, other.links])
    expect((await other.browser.delete(`${path}/${setupId}`)).statusCode).toBe(404)
  expect((await call('')).statusCode).toBe(200)
})
