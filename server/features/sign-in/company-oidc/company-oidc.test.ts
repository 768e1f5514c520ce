import { generateKeyPairSync } from 'node:crypto'
import { type JWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#server/platform/ids.ts'
import type { Client } from '#test/client.ts'
import { craftedProvider, rightClaims } from '#test/company-oidc/crafted-provider.ts'
import { serveProvider, signInThere } from '#test/company-oidc/foreign-provider.ts'
import { listen } from '#test/company-oidc/listen.ts'
import type { Person } from '#test/people.ts'
import { openSignIn, proveAgain } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

const secret = 'a-secret-of-the-company-with-32-bytes'
const foreign = await listen()
const crafted = await craftedProvider()

let portal: TestApp
let root: Client
/** The customer whose provider we did not write, and the one whose provider sends what an attacker wants. */
let acme: Customer
let evil: Customer
let eva: Person

interface Customer {
  id: number
  issuer: string
  domain: string
  organizationId: string
  redirectUri: string
}

async function customer(domain: string, issuer: string, more: object = {}): Promise<Customer> {
  // A name cannot be a web address.
  const name = `Customer ${domain.split('.')[0]}`
  const own = { name, url: issuer, domain: `https://${domain}`, clientId: 'portal', clientSecret: secret }
  const form = { ...own, ...more }
  const { id } = (await root.post('/api/oidc-configs', form)).json()
  const organizationId = newId()
  await portal.system.db
    .insertInto('organizations')
    .values({ organizationId, name, loginMethod: 'saml', samlConfigId: id })
    .execute()
  const { redirectUri } = (await root.get(`/api/saml-configs/${id}`)).json().serviceProvider
  return { id, issuer, domain, organizationId, redirectUri }
}

async function employee(of: Customer, email: string, more: object = {}): Promise<Person> {
  const person = await portal.person({ email, loginMethod: 'saml', samlConfigId: of.id, ...more })
  await portal.join(person.accountId, of.organizationId)
  return person
}

/** What the provider says of each login. */
const claims: Record<string, Record<string, unknown>> = {
  eva: { email: 'Eva@acme.example' },
  stranger: { email: 'stranger@acme.example' },
}

beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(await portal.person({ superUser: true }))
  acme = await customer('acme.example', foreign.issuer)
  evil = await customer('evil.example', crafted.issuer)
  await serveProvider(foreign, { redirectUri: acme.redirectUri, clientSecret: secret, claims })
  eva = await employee(acme, 'eva@acme.example')
})
afterAll(async () => {
  foreign.close()
  crafted.close()
  await portal?.close()
})

/** Begins a sign-in. @returns the redirect to the provider */
async function begin(browser: Client, of: Customer, email = `somebody@${of.domain}`, start = '/login') {
  const { page, uid } = await openSignIn(browser, start)
  const answer = await browser.get(`${page}/saml?${new URLSearchParams({ email })}`, { accept: 'text/html' })
  const sentTo = String(answer.headers.location)
  const query = new URLSearchParams(sentTo.split('?')[1])
  return { uid, sentTo, state: query.get('state') ?? '', nonce: query.get('nonce') ?? '', query }
}

test('a provider that we did not write takes the key of the portal in place of a secret', async () => {
  const at = await listen()
  try {
    const { keys } = (await portal.browser().get('/company-oidc/jwks')).json()
    const berg = await customer('berg.example', at.issuer, { clientKey: true, clientSecret: null })
    const client = { token_endpoint_auth_method: 'private_key_jwt' as const, jwks: { keys } }
    await serveProvider(at, { redirectUri: berg.redirectUri, client, claims: { bo: { email: 'bo@berg.example' } } })
    const bo = await employee(berg, 'bo@berg.example')
    const browser = portal.browser()
    const { sentTo } = await begin(browser, berg)
    await comeBack(browser, await signInThere(sentTo, berg.redirectUri, 'bo'))
    expect((await browser.get('/api/me')).json()).toMatchObject({ email: bo.email })
  } finally {
    at.close()
  }
})

const pathOf = ({ pathname, search }: URL) => pathname + search
const crossSite = { 'sec-fetch-site': 'cross-site', accept: 'text/html' }
/** The browser comes back from the provider. */
const comeBack = async (browser: Client, address: URL) => browser.follow(await browser.get(pathOf(address), crossSite))
const whoIs = async (browser: Client) => {
  const me = await browser.get('/api/me')
  return me.statusCode === 200 ? me.json().email : undefined
}

/** The answer of the attacker's provider to a request. */
async function craft(of: Customer, { state, nonce }: { state: string; nonce: string }, token: object = {}, query = {}) {
  const right = rightClaims(of.issuer, nonce)
  crafted.idToken = await crafted.sign({ ...right, email: `mallory@${of.domain}`, ...token })
  const address = new URL(of.redirectUri)
  address.search = new URLSearchParams({ code: 'c', state, iss: of.issuer, ...query }).toString()
  return address
}
const traceOf = async ({ id }: Customer) => (await root.get(`/api/saml-configs/${id}/sign-ins`)).json()

describe('a person of a company with an OpenID Provider', () => {
  test('signs in there and is in the portal, with an event and a line of the trace', async () => {
    const browser = portal.browser()
    const { sentTo, query } = await begin(browser, acme, eva.email)
    expect(sentTo.startsWith(`${foreign.issuer}/auth?`)).toBe(true)
    expect(Object.fromEntries(query)).toMatchObject({
      client_id: 'portal',
      redirect_uri: acme.redirectUri,
      response_type: 'code',
      code_challenge_method: 'S256',
      login_hint: eva.email,
    })
    const { url } = await comeBack(browser, await signInThere(sentTo, acme.redirectUri, 'eva'))
    expect(url).toBe('/')
    expect(await whoIs(browser)).toBe(eva.email)
    expect((await traceOf(acme))[0]).toMatchObject({ email: eva.email, failure: null })
    const event = await portal.system.db
      .selectFrom('auditEvents')
      .select('changes')
      .where('name', '=', 'loginSuccess')
      .where('target', '=', eva.email)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(event.changes)).toContain('"saml"')
  })

  test('has to authenticate again where a service demands it', async () => {
    const mallory = await employee(evil, 'again@evil.example')
    const browser = portal.browser()
    const demanded = async (auth_time: number | undefined) => {
      const asked = await begin(browser, evil, mallory.email, '/login?prompt=login')
      expect(Object.fromEntries(asked.query)).toMatchObject({ prompt: 'login', max_age: '0' })
      return comeBack(browser, await craft(evil, asked, { email: mallory.email, auth_time }))
    }
    const seconds = Math.floor(portal.now().getTime() / 1000)
    for (const auth_time of [undefined, seconds - 60]) expect((await demanded(auth_time)).url).toContain('samlFailed')
    expect((await traceOf(evil))[0]).toMatchObject({ failure: 'notReauthenticated' })
    expect((await demanded(seconds)).url).toBe('/')
  })

  test('is refused with a reason where the account, the client or the provider is not right', async () => {
    const refusals: [Record<string, unknown>, string, string][] = [
      [{ clientId: 'another' }, 'eva', 'clientRefused'],
      [{ clientSecret: 'wrong' }, 'eva', 'clientRefused'],
    ]
    const stranger = portal.browser()
    const there = await signInThere((await begin(stranger, acme)).sentTo, acme.redirectUri, 'stranger')
    expect((await comeBack(stranger, there)).url).toContain('error=samlRefused')
    expect((await traceOf(acme))[0]).toMatchObject({ failure: 'unknownPerson', email: 'stranger@acme.example' })
    for (const [changed, login, failure] of refusals) {
      const browser = portal.browser()
      const back = await signInThere((await begin(browser, acme)).sentTo, acme.redirectUri, login)
      await root.put('/api/oidc-configs', { id: acme.id, ...changed })
      expect((await comeBack(browser, back)).url).toContain('error=samlFailed')
      expect((await traceOf(acme))[0]).toMatchObject({ failure })
      await root.put('/api/oidc-configs', { id: acme.id, clientId: 'portal', clientSecret: secret })
    }
    const nowhere = await customer('nowhere.example', 'http://127.0.0.1:9/')
    expect((await begin(portal.browser(), nowhere)).sentTo).toMatch(/error=samlFailed&reference=/)
    expect((await traceOf(nowhere))[0]).toMatchObject({ failure: 'unreachable', email: 'somebody@nowhere.example' })
  })

  test('signs in by the claim that the configuration names, with a personal number that cannot be used', async () => {
    const ulla = await employee(evil, 'ulla@evil.example')
    const token = {
      email: undefined,
      upn: 'Ulla@evil.example',
      emails: ['x@y.example', ulla.email],
      ssn: '197010632391',
    }
    const attemptWith = async (emailAttribute: string | null) => {
      const changed = await root.put('/api/oidc-configs', { id: evil.id, emailAttribute })
      expect(changed.json()).toMatchObject({ emailAttribute })
      const browser = portal.browser()
      await comeBack(browser, await craft(evil, await begin(browser, evil), token))
      return whoIs(browser)
    }
    for (const claim of ['upn', 'emails']) {
      expect(await attemptWith(claim)).toBe(ulla.email)
      expect((await traceOf(evil))[0]).toMatchObject({ failure: null, detail: expect.stringContaining('ignored') })
    }
    for (const claim of ['preferred_username', null]) expect(await attemptWith(claim)).toBeUndefined()
  })

  test('is refused while the configuration is off, also in the middle of a sign-in', async () => {
    const [early, late] = [portal.browser(), portal.browser()]
    const one = await signInThere((await begin(early, acme)).sentTo, acme.redirectUri, 'eva')
    const other = await signInThere((await begin(late, acme)).sentTo, acme.redirectUri, 'eva')
    const completing = await early.get(pathOf(one), crossSite)
    await root.put('/api/oidc-configs', { id: acme.id, active: false })
    await early.follow(completing)
    expect((await comeBack(late, other)).url).toContain('error=samlRefused')
    for (const browser of [early, late]) expect(await whoIs(browser)).toBeUndefined()
    expect((await begin(portal.browser(), acme)).sentTo).toContain('error=samlFailed')
    expect((await traceOf(acme))[0]).toMatchObject({ failure: 'switchedOff' })
    await root.put('/api/oidc-configs', { id: acme.id, active: true })
  })
})

describe('an account that another organisation opened by its shown link, and nobody has proven', () => {
  const opened = async (email: string) => {
    const { organizationId } = await portal.organization()
    const { accountId } = await portal.person({ email })
    await portal.join(accountId, organizationId)
    const unproven = { emailProof: null, emailProvenAt: null, openedFor: organizationId }
    await portal.system.db.updateTable('users').set(unproven).where('accountId', '=', accountId).execute()
    return accountId
  }
  const idAt = async (email: string) =>
    (await portal.system.db.selectFrom('users').select('accountId').where('email', '=', email).executeTakeFirst())
      ?.accountId

  test('makes way for whom the own company signs in, and for nobody outside its domains', async () => {
    await root.put('/api/organizations', { organizationId: evil.organizationId, createAtSignIn: true })
    const own = await opened('taken@evil.example')
    const browser = portal.browser()
    await comeBack(browser, await craft(evil, await begin(browser, evil), { email: 'taken@evil.example' }))
    expect(await whoIs(browser)).toBe('taken@evil.example')
    expect(await idAt('taken@evil.example')).not.toBe(own)

    for (const email of ['taken@acme.example', 'taken@notevil.example']) {
      const theirs = await opened(email)
      const attacker = portal.browser()
      await comeBack(attacker, await craft(evil, await begin(attacker, evil), { email }))
      expect([await whoIs(attacker), await idAt(email)]).toEqual([undefined, theirs])
    }
    await root.put('/api/organizations', { organizationId: evil.organizationId, createAtSignIn: false })
  })
})

describe('nobody is signed in by', () => {
  test('a sign-in that was begun in another browser', async () => {
    const [attacker, victim] = [portal.browser(), portal.browser()]
    await openSignIn(victim)
    const answer = await signInThere((await begin(attacker, acme)).sentTo, acme.redirectUri, 'eva')
    await comeBack(victim, answer)
    expect(await whoIs(victim)).toBeUndefined()
    expect((await traceOf(acme))[0]).toMatchObject({ failure: 'otherBrowser' })
    await comeBack(attacker, answer)
    expect(await whoIs(attacker)).toBeUndefined()
  })

  test('a token that a weak key of the provider signed', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 })
    const weak = await customer('weak.example', crafted.issuer)
    const ulla = await employee(weak, 'ulla@weak.example')
    crafted.otherKeys.push({ ...publicKey.export({ format: 'jwk' }), kid: 'weak', alg: 'RS256' } as JWK)
    const attacker = portal.browser()
    const asked = await begin(attacker, weak)
    const answer = await craft(weak, asked, { email: ulla.email })
    const right = { ...rightClaims(weak.issuer, asked.nonce), email: ulla.email }
    crafted.idToken = await new SignJWT(right).setProtectedHeader({ alg: 'RS256', kid: 'weak' }).sign(privateKey)
    await comeBack(attacker, answer)
    expect(await whoIs(attacker)).toBeUndefined()
    crafted.otherKeys.length = 0
  })

  test('an answer that is sent again, late, twice at once or to another configuration', async () => {
    const mallory = await employee(evil, 'mallory@evil.example')
    const first = portal.browser()
    const asked = await begin(first, evil)
    const address = await craft(evil, asked)
    const [one, two] = await Promise.all([first.get(pathOf(address), crossSite), first.get(pathOf(address), crossSite)])
    const tickets = [one, two].filter(({ headers }) => String(headers.location).includes('ticket='))
    expect(tickets).toHaveLength(1)
    crafted.calls.length = 0
    expect((await comeBack(portal.browser(), address)).url).toContain('signInOver')
    const elsewhere = new URL(address)
    elsewhere.pathname = elsewhere.pathname.replace(`/${evil.id}/`, `/${acme.id}/`)
    expect((await comeBack(portal.browser(), elsewhere)).url).toContain(`${acme.issuer}/auth?`)
    // Its code was never redeemed.
    expect(crafted.calls).toEqual([])
    expect((await first.follow(tickets[0] ?? one)).url).toBe('/')
    expect(await whoIs(first)).toBe(mallory.email)
    const second = portal.browser()
    const late = await begin(second, evil)
    portal.advance(11 * 60)
    expect((await comeBack(second, await craft(evil, late))).url).toContain('signInOver')
    expect(await whoIs(second)).toBeUndefined()
    await proveAgain(root)
  })

  test.each<[string, object, object, string]>([
    ['another issuer', { iss: 'https://evil.example' }, {}, 'issuer'],
    ['another issuer in the answer', {}, { iss: 'https://other.example' }, 'issuer'],
    ['another audience', { aud: 'another' }, {}, 'audience'],
    ['another nonce', { nonce: 'another' }, {}, 'otherRequest'],
    ['a time that is over', { exp: 1 }, {}, 'clock'],
    ['an error', {}, { error: 'access_denied' }, 'declined'],
    ['an address that nobody verified, outside the domain', { email: 'eva@elsewhere.example' }, {}, 'attributes'],
  ])('a token or an answer with %s', async (_, token, query, failure) => {
    const browser = portal.browser()
    const { url } = await comeBack(browser, await craft(evil, await begin(browser, evil), token, query))
    expect(url).toMatch(/error=(samlFailed|samlDeclined)&reference=/)
    expect(await whoIs(browser)).toBeUndefined()
    expect((await traceOf(evil))[0]).toMatchObject({ failure })
  })

  test('the provider of another customer, or one that names a super user', async () => {
    const guest = await employee(evil, 'guest@elsewhere.example', { emailProof: null })
    const boss = await portal.person({ superUser: true, email: 'boss@evil.example' })
    const notOurs = { email: eva.email, email_verified: true }
    for (const token of [notOurs, { email: guest.email, email_verified: true }, { email: boss.email }]) {
      const browser = portal.browser()
      expect((await comeBack(browser, await craft(evil, await begin(browser, evil), token))).url).toContain(
        'error=samlRefused',
      )
      expect(await whoIs(browser)).toBeUndefined()
    }
    expect((await traceOf(evil)).map(({ failure }: { failure: string }) => failure).slice(0, 3)).toEqual([
      'unknownPerson',
      'notAllowed',
      'unknownPerson',
    ])
  })

  test('SAML at a configuration of OpenID Connect', async () => {
    expect((await portal.browser().get(`/saml/${acme.id}/metadata`)).statusCode).toBe(404)
    const { state } = await begin(portal.browser(), acme)
    const answered = await portal.browser().submit(`/saml/${acme.id}/acs`, { SAMLResponse: 'x', RelayState: state })
    expect(answered.headers.location).toContain('signInOver')
    expect((await root.put('/api/saml-configs', { id: acme.id, name: 'Taken' })).statusCode).toBe(404)
    const metadata = { address: 'https://idp.acme.example/metadata' }
    expect((await root.put(`/api/saml-configs/${acme.id}/metadata`, metadata)).statusCode).toBe(404)
  })
})

describe('a sign-in that begins at the provider, or lost its state,', () => {
  const wanted = { iss: '', login_hint: 'eva@acme.example', target_link_uri: 'http://portal.test/account' }
  const started = (of: Customer, more: object = {}) => new URLSearchParams({ ...wanted, iss: of.issuer, ...more })

  test.each(['GET', 'POST'] as const)('begins at the address of the configuration: %s', async (method) => {
    const browser = portal.browser()
    const address = `/login/company/${acme.id}`
    const answer =
      method === 'GET'
        ? await browser.get(`${address}?${started(acme)}`, crossSite)
        : await browser.submit(address, Object.fromEntries(started(acme)), crossSite)
    const { url } = await browser.follow(answer)
    expect(url.startsWith(`${foreign.issuer}/auth?`)).toBe(true)
    expect(new URL(url).searchParams.get('login_hint')).toBe('eva@acme.example')
    expect((await comeBack(browser, await signInThere(url, acme.redirectUri, 'eva'))).url).toBe('/account')
    expect(await whoIs(browser)).toBe(eva.email)
  })

  test('begins nowhere for another issuer, and leads to no other site', async () => {
    const browser = portal.browser()
    for (const iss of ['https://evil.example', '', 'x', `${acme.issuer}/x`]) {
      const answer = await browser.get(`/login/company/${acme.id}?${started(acme, { iss })}`, crossSite)
      expect((await browser.follow(answer)).url).toContain('error=samlFailed')
    }
    for (const target_link_uri of [
      'https://evil.example/account',
      'http://portal.test.evil.example/',
      '//evil.example',
    ]) {
      const fresh = portal.browser()
      const { url } = await fresh.follow(
        await fresh.get(`/login/company/${acme.id}?${started(acme, { target_link_uri })}`, crossSite),
      )
      expect((await comeBack(fresh, await signInThere(url, acme.redirectUri, 'eva'))).url).toBe('/')
    }
  })

  test('begins again once at the provider, which redeems nothing and signs nobody in', async () => {
    const browser = portal.browser()
    for (const state of ['', 'made-up', 'x'.repeat(500)]) {
      browser.forgetCookies()
      crafted.calls.length = 0
      const address = new URL(evil.redirectUri)
      address.search = new URLSearchParams({ code: 'c', ...(state && { state }) }).toString()
      expect((await comeBack(browser, address)).url.startsWith(`${evil.issuer}/auth?`)).toBe(true)
      expect(crafted.calls).not.toContain('/token')
      for (let turn = 0; turn < 3; turn++) expect((await comeBack(browser, address)).url).toContain('error=samlFailed')
      address.search = 'error=access_denied'
      expect((await comeBack(browser, address)).url).toContain('error=samlDeclined')
    }
    expect(await whoIs(browser)).toBeUndefined()
  })

  test('begins again, at the same place, where the answer comes to another browser', async () => {
    const [first, second] = [portal.browser(), portal.browser()]
    const { sentTo } = await begin(first, acme, eva.email, '/login?returnTo=/account')
    const { url } = await comeBack(second, await signInThere(sentTo, acme.redirectUri, 'eva'))
    expect(await whoIs(second)).toBeUndefined()
    expect((await comeBack(second, await signInThere(url, acme.redirectUri, 'eva'))).url).toBe('/account')
    expect(await whoIs(second)).toBe(eva.email)
  })
})

test('a provider is discovered once in ten minutes, and again after a change of the configuration', async () => {
  const discoveries = async () => {
    crafted.calls.length = 0
    await begin(portal.browser(), evil)
    await begin(portal.browser(), evil)
    return crafted.calls.length
  }
  await discoveries()
  expect(await discoveries()).toBe(0)
  await root.put('/api/oidc-configs', { id: evil.id, name: 'Renamed' })
  expect(await discoveries()).toBe(1)
  portal.advance(601)
  expect(await discoveries()).toBe(1)
})

test('what is not from us is kept only up to a number, and a secret is nowhere', async () => {
  for (let count = 0; count < 65; count++) await portal.browser().get(`/company-oidc/${evil.id}/callback?state=made-up`)
  const kept = (await traceOf(evil)).filter(({ failure }: { failure: string }) => failure === 'unsolicited')
  expect(kept.length).toBeLessThanOrEqual(60)
  const rows = await portal.system.db.selectFrom('samlConfigs').selectAll().execute()
  const things = await portal.system.db.selectFrom('oneTimeThings').select('data').execute()
  const events = await portal.system.db.selectFrom('auditEvents').select('changes').execute()
  const all = JSON.stringify([rows.map((row) => ({ ...row, s: String(row.clientSecretSealed) })), things, events])
  expect(all + JSON.stringify(portal.logged)).not.toContain(secret)
})
