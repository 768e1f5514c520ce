import { sql } from 'kysely'
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
      .select(['name', 'actor', 'organizationIds', 'changes'])
      .where('targetId', '=', organizationId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
  ).map(({ name, actor, organizationIds, changes }) => {
    const link = (changes as unknown as { property: string; newValue: string | null }[]).find(
      ({ property }) => property === 'setupId',
    )
    return { name, actor, mine: organizationIds.includes(organizationId), link: link?.newValue }
  })

const told = async (address: string) =>
  (await outboxOf(portal).messagesTo(address))
    .filter(({ template }) => template === 'sign-in-to-check')
    .map(({ values }) => values)

describe('the IT of an organisation, with a link for the directory', () => {
  test('connects it without an account: gets the address and a token once, and sees that the first request came', async () => {
    const { call, newToken, setupId, organizationName, organizationId, browser, url } = await customer()
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
    const event = { name: 'createScimToken', actor: '/saml-setup', mine: true, link: setupId }
    expect((await eventsOf(organizationId)).at(-2)).toEqual(event)
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

describe('a link for the directory', () => {
  test('ends with what its maker may do, though nobody ends it', async () => {
    const here = await customer()
    const { admin, organizationId, call, newToken } = here
    const colleague = await portal.person()
    await portal.join(colleague.accountId, organizationId, 'organizationAdmin')
    const browser = await portal.signedIn(colleague)
    const becomes = (userRole: 'regular' | 'organizationAdmin') =>
      portal.system.db
        .updateTable('memberships')
        .set({ userRole })
        .where('accountId', '=', admin.accountId)
        .where('organizationId', '=', organizationId)
        .execute()
    await becomes('regular')
    for (const answer of [await call(''), await call('/directory'), await newToken()])
      expect([answer.statusCode, answer.json().message]).toEqual([404, 'setupLinkInvalid'])
    expect((await browser.get(here.links)).json()).toEqual([])
    await becomes('organizationAdmin')
    expect((await call('')).statusCode).toBe(200)
    expect((await (await root()).delete(`/api/users/${admin.accountId}`)).statusCode).toBe(204)
    expect((await newToken()).statusCode).toBe(404)
  })

  test('makes five tokens, and none of them floods the operator with mail', async () => {
    const { browser, url, links, newToken, organizationName, organizationId } = await customer()
    const another = async (make: typeof newToken) => {
      const { statusCode } = await make()
      for (const { tokenId } of (await browser.get(url)).json().tokens) await browser.delete(`${url}/tokens/${tokenId}`)
      return statusCode
    }
    const inARow = async (make: typeof newToken) => {
      const codes: number[] = []
      for (let times = 0; times < 6; times += 1) codes.push(await another(make))
      return codes
    }
    const expected = [201, 201, 201, 201, 201, 429]
    expect(await inARow(newToken)).toEqual(expected)
    expect(await inARow(linkOf((await browser.post(links, {})).json().url).newToken)).toEqual(expected)
    const mails = (await told(operator)).filter(({ name }) => name === organizationName)
    expect(mails).toHaveLength(5)
    const made = (await eventsOf(organizationId)).filter(
      ({ name, actor }) => name === 'createScimToken' && actor === '/saml-setup',
    )
    expect(made).toHaveLength(10)
  })

  test('is one at a time, however many are made at once, and each that ends leaves an event', async () => {
    const { browser, links, setupId, organizationId } = await customer()
    const made = await Promise.all(Array.from({ length: 4 }, () => browser.post(links, {})))
    expect(made.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201])
    const alive = (await browser.get(links)).json().map((link: { setupId: string }) => link.setupId)
    expect(alive).toHaveLength(1)
    const all = [setupId, ...made.map((answer) => answer.json().setupId)]
    const linksOf = async (event: string) =>
      (await eventsOf(organizationId)).filter(({ name }) => name === event).map(({ link }) => link)
    expect((await linksOf('revokeSamlSetup')).sort()).toEqual(all.filter((id) => !alive.includes(id)).sort())
    expect((await linksOf('createSamlSetup')).sort()).toEqual(all.sort())
  })

  test('is made ten times an hour by the admins of one organisation', async () => {
    const { browser, links } = await customer()
    for (let times = 1; times < 10; times += 1) expect((await browser.post(links, {})).statusCode).toBe(201)
    expect((await browser.post(links, {})).statusCode).toBe(429)
    expect((await (await customer()).call('')).statusCode).toBe(200)
  })

  test('is asked 60 times a minute whether the directory has called', async () => {
    const { call } = await customer()
    for (let times = 0; times < 60; times += 1) expect((await call('/directory')).statusCode).toBe(200)
    expect((await call('/directory')).statusCode).toBe(429)
    expect((await (await customer()).call('/directory')).statusCode).toBe(200)
  })

  test('cannot be taken for a directory, whatever its token is called', async () => {
    const { newToken, organizationId } = await customer()
    const { made } = (await newToken('/saml-setup')).json()
    const person = { userName: 'kim@imitated.example', schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'] }
    const headers = { host: 'portal.test', authorization: `Bearer ${made}`, 'content-type': 'application/scim+json' }
    const url = '/scim/v2/Users'
    const added = await portal.app.inject({ method: 'POST', url, headers, payload: JSON.stringify(person) })
    expect(added.statusCode, added.body).toBe(201)
    const { rows } = await sql<{ actor: string; name: string }>`
      select distinct name, actor from audit_events where ${organizationId}::uuid = any (organization_ids)`.execute(
      portal.system.db,
    )
    expect(rows.filter(({ actor }) => actor === '/saml-setup').map(({ name }) => name)).toEqual(['createScimToken'])
    expect(rows.map(({ actor }) => actor)).toContain('/saml-setup (SCIM)')
  })

  test('opens nothing of a sign-in: it has no number, no service provider and no metadata', async () => {
    const { setupId, call } = await customer()
    expect((await call('')).json().serviceProvider).toBeNull()
    const numbers = portal.system.db.selectFrom('samlSetups').select('samlConfigId').where('setupId', '=', setupId)
    expect(await numbers.executeTakeFirst()).toEqual({ samlConfigId: null })
  })
})

describe('a link for both', () => {
  const both = async () => {
    const { organizationId } = await portal.organization()
    const browser = await root()
    const made = (await browser.post('/api/saml-setups', { organizationId, directory: true })).json()
    const link = linkOf(made.url)
    const given = { url: 'https://login.example', clientId: 'portal', clientSecret: 'a-secret-of-the-company' }
    const handIn = async () => {
      const { version } = (await link.call('/oidc', given)).json()
      expect((await link.call('/hand-in', { version })).statusCode).toBe(200)
      return version + 1
    }
    const reject = async (version: number) =>
      (await (await root()).post(`/api/saml-setups/${made.setupId}/reject`, { version, reason: 'Not yet' })).statusCode
    return { ...link, organizationId, browser, setupId: made.setupId, handIn, reject }
  }

  test('connects the directory no longer than it was to at first, whatever is rejected', async () => {
    const { call, newToken, setupId, handIn, reject } = await both()
    portal.advance(48 * 3600)
    expect(await reject(await handIn())).toBe(204)
    expect((await newToken()).statusCode).toBe(201)
    portal.advance(25 * 3600)
    expect((await newToken()).statusCode).toBe(404)
    expect((await call('')).json()).toMatchObject({ signIn: true, directory: null })
    const version = await handIn()
    portal.advance(40 * 86_400)
    expect((await (await root()).get(`/api/saml-setups/${setupId}`)).json().directory).toBe(false)
    expect(await reject(version)).toBe(204)
    expect((await call('')).json()).toMatchObject({ state: 'open', directory: null })
    expect((await newToken()).statusCode).toBe(404)
  })

  test('works no more when its maker is no super user any more', async () => {
    const { call, newToken, setupId } = await both()
    const former = await portal.person()
    const made = portal.system.db.updateTable('samlSetups').set({ madeBy: former.accountId })
    await made.where('setupId', '=', setupId).execute()
    for (const answer of [await call(''), await call('/directory'), await newToken()])
      expect([answer.statusCode, answer.json().message]).toEqual([404, 'setupLinkInvalid'])
  })

  test('keeps the approved sign-in when the operator ends the directory, and the event says just that', async () => {
    const { browser, setupId, organizationId, handIn, newToken } = await both()
    const version = await handIn()
    const decided = { name: 'Kept', domain: 'https://kept.example', active: false, version, sameIssuer: true }
    expect((await browser.post(`/api/saml-setups/${setupId}/approve`, decided)).statusCode).toBe(200)
    expect((await browser.post(`/api/saml-setups/${setupId}/revoke`)).statusCode).toBe(204)
    expect((await newToken()).statusCode).toBe(404)
    expect((await browser.get(`/api/saml-setups/${setupId}`)).json()).toMatchObject({
      ...{ state: 'approved', directory: false, draft: { url: 'https://login.example' } },
    })
    const last = (await eventsOf(organizationId)).at(-1)
    expect(last).toMatchObject({ name: 'revokeSamlSetup', link: setupId })
    const { rows } = await sql<{ changes: { property: string; previousValue: string | null }[] }>`
      select changes from audit_events where name = 'revokeSamlSetup' and target_id = ${organizationId}`.execute(
      portal.system.db,
    )
    expect(rows[0]?.changes).toContainEqual(expect.objectContaining({ property: 'directory', previousValue: 'true' }))
    expect((await browser.post(`/api/saml-setups/${setupId}/revoke`)).statusCode).toBe(409)
  })
})
