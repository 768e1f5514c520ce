import { createVerify, X509Certificate } from 'node:crypto'
import { SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { readPostedRequest } from '#server/saml/posted-request.ts'
import { encodeAnswer, nameIdFormats } from '#simulators/saml-idp/answer.ts'
import { sign } from '#simulators/saml-idp/signed-answer.ts'
import type { Client } from '#test/client.ts'
import { selfSigned } from '#test/saml/certificate.ts'
import { type Company, company, employee } from '#test/saml/company.ts'
import { type LogoutOf, logoutXml, messageIn, signedRedirect, signInThrough } from '#test/saml/logout.ts'
import { portalWithCompany } from '#test/saml/portal-with-company.ts'
import { afterIssuer, signatureOf, withoutSignature } from '#test/saml/wrapping.ts'
import { servicesOf, signedOut } from '#test/service.ts'

const { portal, theirs, person } = await portalWithCompany()
const { db } = portal.system
const services = servicesOf(portal)
const logoutUrl = 'https://idp.example/slo'
const takesSignOuts = ({ configId }: Company) =>
  db.updateTable('samlConfigs').set({ logoutUrl }).where('id', '=', configId).execute()
const other = await company(portal)
await takesSignOuts(theirs)
await takesSignOuts(other)

const nameId = person.email
const isSignedIn = async (browser: Client) => (await browser.get('/api/me')).statusCode === 200
const signIn = (sessionIndex?: string, start?: string) =>
  signInThrough(portal, theirs, { nameId, ...(sessionIndex && { sessionIndex }), ...(start && { start }) })
/** From another site, without cookies: the identity provider may load it in a frame. */
const send = (address: string) => portal.browser().get(address, { 'sec-fetch-site': 'cross-site', accept: 'text/html' })
const request = (changed: Partial<LogoutOf> = {}, of = theirs) => logoutXml(portal, of, { nameId, ...changed })
const locationOf = (response: { headers: Record<string, unknown> }) =>
  new URL(String(response.headers.location), 'http://portal.test')
const events = async () =>
  (
    await db
      .selectFrom('auditEvents')
      .select(['actorId', 'changes'])
      .where('name', '=', 'logout')
      .orderBy('id')
      .execute()
  ).map(({ actorId, changes }) => ({ actorId, changes: JSON.stringify(changes) }))

const certificateOf = async ({ configId }: Company) => {
  const { body } = await portal.browser().get(`/saml/${configId}/metadata`)
  const [, base64 = ''] = /use="signing">.*?<ds:X509Certificate>([^<]+)</s.exec(body) ?? []
  return { body, certificate: new X509Certificate(Buffer.from(base64, 'base64')) }
}
const isSignedByUs = async ({ search }: URL) => {
  const [signed = '', signature = ''] = search.slice(1).split('&Signature=')
  const { publicKey } = (await certificateOf(theirs)).certificate
  return createVerify('sha256').update(signed).verify(publicKey, decodeURIComponent(signature), 'base64')
}

// Sign-ins from one address are limited.
beforeEach(() => portal.advance(301))

test('our metadata says where sign-outs go, and has the certificate that signs them', async () => {
  const { body } = await certificateOf(theirs)
  expect(body).toContain(`Location="http://portal.test/saml/${theirs.configId}/slo"`)
  expect(body).toContain('AuthnRequestsSigned="false"')
  const none = await company(portal)
  expect((await portal.browser().get(`/saml/${none.configId}/metadata`)).body).not.toContain('SingleLogoutService')
})

describe('a sign-out at the company', () => {
  test('ends the session that it names and no other, and is answered with a signature', async () => {
    const [one, two] = [await signIn('_one'), await signIn('_two')]
    const colleague = await employee(portal, theirs)
    const third = await signInThrough(portal, theirs, { nameId: colleague.email, sessionIndex: '_one' })
    const before = (await events()).length
    const xml = request({ id: '_request', sessionIndexes: ['_one'] })
    const answer = locationOf(await send(signedRedirect(theirs, xml, { relayState: "it's theirs" })))
    expect([await isSignedIn(one), await isSignedIn(two), await isSignedIn(third)]).toEqual([false, true, true])
    expect(answer.origin + answer.pathname).toBe(logoutUrl)
    expect(answer.searchParams.get('RelayState')).toBe("it's theirs")
    const response = messageIn(answer, 'SAMLResponse')
    expect(response).toContain('InResponseTo="_request"')
    expect(response).toContain('status:Success')
    expect(await isSignedByUs(answer)).toBe(true)
    const [event, ...more] = (await events()).slice(before)
    expect(more).toEqual([])
    expect(event).toEqual({ actorId: person.accountId, changes: expect.stringContaining('signedOutBy') })
  })

  test('without an index ends every session that the company has signed in under that name', async () => {
    const [one, two] = [await signIn(), await signIn()]
    await send(signedRedirect(theirs, request()))
    expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([false, false])
  })

  test('ends nothing while the configuration is off: the company has no say over sessions any more', async () => {
    const browser = await signIn()
    const switchTo = (active: boolean) =>
      db.updateTable('samlConfigs').set({ active }).where('id', '=', theirs.configId).execute()
    await switchTo(false)
    try {
      expect(locationOf(await send(signedRedirect(theirs, request()))).pathname).toBe('/logout')
      expect(await isSignedIn(browser)).toBe(true)
    } finally {
      await switchTo(true)
    }
  })

  test('ends a session that was begun at a service, which is told', async () => {
    const clientId = await services.register({ backchannelLogoutUri: 'http://127.0.0.1:9/logout' })
    const browser = await signIn('_service', services.requestFor(clientId))
    expect(await isSignedIn(browser)).toBe(true)
    await send(signedRedirect(theirs, request({ sessionIndexes: ['_service'] })))
    expect(await isSignedIn(browser)).toBe(false)
    const told = await db.selectFrom('logoutDeliveries').select('accountId').where('clientId', '=', clientId).execute()
    expect(told).toEqual([{ accountId: person.accountId }])
  })

  test('ends a session that a service asked a further question about', async () => {
    const clientId = await services.register()
    const browser = await signIn('_asked', services.requestFor(clientId, { prompt: 'consent' }))
    expect(await isSignedIn(browser)).toBe(true)
    await send(signedRedirect(theirs, request({ sessionIndexes: ['_asked'] })))
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('ends a session whose id is renewed at the same moment', async () => {
    const clientId = await services.register()
    const browser = await signIn('_renewed')
    const html = { accept: 'text/html' }
    const asked = await browser.get(services.requestFor(clientId, { prompt: 'consent' }), html)
    const resume = String((await browser.get(String(asked.headers.location), html)).headers.location)
    const owner = new pg.Client({ connectionString: portal.ownerUrl })
    await owner.connect()
    await owner.query(`
      create function wait_a_little() returns trigger language plpgsql as $$
      begin perform pg_sleep(1); return new; end $$;
      create trigger slow before insert or update of id_hash on sessions for each row execute function wait_a_little()`)
    const renewed = browser.get(resume, html)
    const isRenewing = sql`select from pg_stat_activity where wait_event = 'PgSleep'`
    await expect.poll(async () => (await isRenewing.execute(db)).rows.length).toBe(1)
    await send(signedRedirect(theirs, request({ sessionIndexes: ['_renewed'] })))
    await renewed
    await owner.query('drop trigger slow on sessions')
    await owner.end()
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('of a name that nobody has here is answered like any other', async () => {
    const answer = locationOf(await send(signedRedirect(theirs, request({ nameId: 'nobody@x.example' }))))
    expect(messageIn(answer, 'SAMLResponse')).toContain('status:Success')
  })

  test("never reaches another customer's people, whatever it names", async () => {
    const browser = await signIn('_mine')
    const answer = await send(signedRedirect(other, request({ sessionIndexes: ['_mine'] }, other)))
    expect(messageIn(locationOf(answer), 'SAMLResponse')).toContain('status:Success')
    expect(await isSignedIn(browser)).toBe(true)
  })
})

describe('a sign-out is refused', () => {
  const ago = (seconds: number) => new Date(portal.now().getTime() - seconds * 1000)
  const changedBy = (address: string, change: (query: string) => string) => {
    const [path = '', query = ''] = address.split('?')
    return `${path}?${change(query)}`
  }
  const refusedOnes: Record<string, () => string> = {
    'without a signature': () => signedRedirect(theirs, request(), { signed: false }),
    'signed by somebody else': () => signedRedirect({ ...theirs, key: selfSigned({ name: 'x' }) }, request()),
    'signed by another company for this one': () => signedRedirect({ ...theirs, key: other.key }, request()),
    "of this company at another's address": () =>
      signedRedirect({ ...theirs, configId: other.configId }, request({}, theirs)),
    'with SHA-1': () =>
      signedRedirect(theirs, request(), { hash: 'sha1', algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }),
    'with HMAC': () =>
      signedRedirect(theirs, request(), { algorithm: 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256' }),
    'with another message under the signature': () => {
      const [, signature = ''] = signedRedirect(theirs, request({ nameId: 'x' })).split('&SigAlg=')
      return `${signedRedirect(theirs, request(), { signed: false })}&SigAlg=${signature}`
    },
    'with a relay state that was not signed': () =>
      changedBy(signedRedirect(theirs, request(), { relayState: 'a' }), (query) =>
        query.replace('RelayState=a', 'RelayState=b'),
      ),
    'with a message twice': () =>
      changedBy(signedRedirect(theirs, request()), (query) => `${query.split('&')[0]}&${query}`),
    'of another issuer': () => signedRedirect(theirs, request({ issuer: other.issuer })),
    'without an issuer': () => signedRedirect(theirs, request({ issuer: null })),
    'for another address': () => signedRedirect(theirs, request({ destination: 'https://other.example/slo' })),
    'without an address': () => signedRedirect(theirs, request({ destination: null })),
    'that is over': () => signedRedirect(theirs, request({ notOnOrAfter: ago(31) })),
    'that is old': () => signedRedirect(theirs, request({ issueInstant: ago(400), notOnOrAfter: null })),
    'of the future': () => signedRedirect(theirs, request({ issueInstant: ago(-300) })),
    'that names nobody': () => signedRedirect(theirs, request({ nameId: null })),
    'with an encrypted name': () =>
      signedRedirect(theirs, request({ nameId: null }).replace('</saml:Issuer>', '$&<saml:EncryptedID/>')),
    'that is another message': () => signedRedirect(theirs, request().replaceAll('LogoutRequest', 'AuthnRequest')),
    'with a document type': () => signedRedirect(theirs, `<!DOCTYPE x>${request()}`),
    'that grows when it is unpacked': () => signedRedirect(theirs, request() + ' '.repeat(10_000_000)),
    'that is no XML': () => signedRedirect(theirs, 'Hello'),
    'that is made up': () => `/saml/${theirs.configId}/slo?SAMLRequest=%E0%A4%A&SigAlg=x&Signature=y`,
    'of an unknown configuration': () => signedRedirect({ ...theirs, configId: 999_999 }, request()),
  }
  test.each(Object.entries(refusedOnes))('%s', async (_, addressOf) => {
    const browser = await signIn()
    const response = await send(addressOf())
    expect([response.statusCode, response.headers.location]).toEqual([303, '/logout'])
    expect(await isSignedIn(browser)).toBe(true)
  })

  test('when it is sent again, also twice at once', async () => {
    const first = await signIn()
    const address = signedRedirect(theirs, request())
    expect(locationOf(await send(address)).origin).toBe('https://idp.example')
    expect(await isSignedIn(first)).toBe(false)
    const second = await signIn()
    expect((await send(address)).headers.location).toBe('/logout')
    expect(await isSignedIn(second)).toBe(true)
    const twice = signedRedirect(theirs, request())
    const answers = await Promise.all([send(twice), send(twice), send(twice)])
    expect(answers.filter(({ headers }) => headers.location === '/logout')).toHaveLength(2)
  })
})

describe('a sign-out that the company posts', () => {
  const post = (message: Record<string, string>) =>
    portal.browser().submit(`/saml/${theirs.configId}/slo`, message, {
      'sec-fetch-site': 'cross-site',
      origin: 'https://idp.example',
    })
  const signedBy = (key: Company['key'], xml = request({ id: '_posted' })) => sign(xml, '_posted', key)

  test('ends the sessions that it names, and is answered', async () => {
    const browser = await signIn()
    const answer = locationOf(await post({ SAMLRequest: encodeAnswer(signedBy(theirs.key)), RelayState: 'state' }))
    expect(await isSignedIn(browser)).toBe(false)
    expect(messageIn(answer, 'SAMLResponse')).toContain('InResponseTo="_posted"')
    expect(answer.searchParams.get('RelayState')).toBe('state')
    expect((await post({ SAMLResponse: 'anything' })).headers.location).toBe('/signed-out')
  })

  const forgedOnes: Record<string, () => string> = {
    'without a signature': () => request(),
    'signed by another company': () => signedBy(other.key),
    'that was changed': () =>
      signedBy(theirs.key, request({ id: '_posted', nameId: 'x' })).replace('>x<', `>${nameId}<`),
    'around a signed one': () => {
      const signed = signedBy(theirs.key, request({ id: '_posted', nameId: 'x' }))
      return request().replace('</samlp:LogoutRequest>', `<samlp:Extensions>${signed}</samlp:Extensions>$&`)
    },
    'with the signature of another one that it encloses': () => {
      const signed = signedBy(theirs.key, request({ id: '_posted', nameId: 'x' }))
      const inside = withoutSignature(signed)
      const signature = signatureOf(signed).replace('</ds:Signature>', `<ds:Object>${inside}</ds:Object>$&`)
      return afterIssuer(request({ id: '_other' }), signature)
    },
    'with a document type': () => `<!DOCTYPE x>${signedBy(theirs.key)}`,
    'with hundreds of elements': () =>
      signedBy(theirs.key, request({ id: '_posted', sessionIndexes: Array.from({ length: 200 }, () => 'x') })),
  }
  test.each(Object.entries(forgedOnes))('is refused %s', async (_, craft) => {
    const browser = await signIn()
    expect((await post({ SAMLRequest: encodeAnswer(craft()) })).headers.location).toBe('/logout')
    expect(await isSignedIn(browser)).toBe(true)
  })
})

describe('a sign-out here', () => {
  /** Signs out and follows to the page that goes on. @returns where it goes on */
  async function signOut(browser: Client): Promise<URL | undefined> {
    const response = await browser.submit('/logout', {})
    expect(await isSignedIn(browser)).toBe(false)
    const location = String(response.headers.location)
    if (!location.startsWith('/signed-out?')) return undefined
    const page = await browser.get(location, { accept: 'text/html' })
    expect((await browser.get(location, { accept: 'text/html' })).headers.refresh).toBeUndefined()
    return new URL(String(page.headers.refresh).replace('0;url=', ''))
  }

  test('goes on at the company, signed and once, and comes back to our page whatever the company answers', async () => {
    const browser = await signIn('_there')
    const sentTo = await signOut(browser)
    if (!sentTo) throw new Error('the company was not asked')
    expect(sentTo.origin + sentTo.pathname).toBe(logoutUrl)
    const xml = messageIn(sentTo, 'SAMLRequest')
    expect(xml).toContain(`>${nameId}</saml:NameID>`)
    expect(xml).toContain('<samlp:SessionIndex>_there</samlp:SessionIndex>')
    expect(xml).toContain(`Destination="${logoutUrl}"`)
    expect(await isSignedByUs(sentTo)).toBe(true)
    const state = sentTo.searchParams.get('RelayState') ?? ''
    for (const relayState of [state, state, 'made up'])
      expect(
        (
          await send(
            `/saml/${theirs.configId}/slo?${new URLSearchParams({ SAMLResponse: 'an error', RelayState: relayState })}`,
          )
        ).headers.location,
      ).toBe('/signed-out')
  })

  test('that a service began ends at the service', async () => {
    const clientId = await services.register()
    const browser = await signIn('_by-service', services.requestFor(clientId))
    const end = `/oidc/session/end?${new URLSearchParams({ client_id: clientId, post_logout_redirect_uri: signedOut })}`
    await browser.follow(await browser.get(end, { accept: 'text/html' }))
    const sentTo = await signOut(browser)
    const RelayState = sentTo?.searchParams.get('RelayState') ?? ''
    const back = await send(`/saml/${theirs.configId}/slo?${new URLSearchParams({ SAMLResponse: 'x', RelayState })}`)
    expect(back.headers.location).toBe(signedOut)
  })

  test('stays here in a session that the company did not sign in, and where it takes no sign-outs', async () => {
    expect(await signOut(await portal.signedIn(await portal.person()))).toBeUndefined()
    const none = await company(portal)
    const { email } = await employee(portal, none)
    expect(await signOut(await signInThrough(portal, none, { nameId: email }))).toBeUndefined()
  })
})

describe('a company that takes answers at an address of their own (ResponseLocation)', () => {
  const logoutResponseUrl = 'https://idp.example/slo/answers'
  const nameOf = ({ mailDomain }: Company) => `somebody@${mailDomain}`
  async function companyThat(takes: { postLogout: boolean }) {
    const of = await company(portal)
    await db
      .updateTable('samlConfigs')
      .set({ logoutUrl, logoutResponseUrl, ...takes })
      .where('id', '=', of.configId)
      .execute()
    await employee(portal, of, { email: nameOf(of) })
    return of
  }
  const enter = (of: Company) => signInThrough(portal, of, { nameId: nameOf(of) })
  /** Where a sign-out goes on after our own page. */
  const goesOnAt = async (browser: Client) => {
    const { headers } = await browser.submit('/logout', {})
    const page = await browser.get(String(headers.location), { accept: 'text/html' })
    return new URL(String(page.headers.refresh).replace('0;url=', ''))
  }
  /** What the page posts there, once its signature is verified. */
  async function postedBy(of: Company, { pathname, search }: URL, name: 'SAMLRequest' | 'SAMLResponse') {
    expect(pathname).toBe(`/saml/${of.configId}/send`)
    const { body } = await portal.browser().get(pathname + search, { accept: 'text/html' })
    const read = (pattern: RegExp) => pattern.exec(body)?.[1] ?? ''
    const { certificate } = await certificateOf(of)
    return {
      to: read(/<form [^>]*action="([^"]+)"/),
      relayState: read(/name="RelayState" value="([^"]*)"/),
      xml: await readPostedRequest(read(new RegExp(`name="${name}" value="([^"]+)"`)), [certificate.toString()]),
    }
  }

  test('is answered there by a redirect, and asked at its address for requests', async () => {
    const of = await companyThat({ postLogout: false })
    const browser = await enter(of)
    const answer = locationOf(await send(signedRedirect(of, request({ nameId: nameOf(of) }, of))))
    expect(await isSignedIn(browser)).toBe(false)
    expect(answer.origin + answer.pathname).toBe(logoutResponseUrl)
    expect(messageIn(answer, 'SAMLResponse')).toContain(`Destination="${logoutResponseUrl}"`)
    const asked = await goesOnAt(await enter(of))
    expect(asked.origin + asked.pathname).toBe(logoutUrl)
  })

  test('is answered there by a form, which is signed, where it takes forms alone', async () => {
    const of = await companyThat({ postLogout: true })
    const browser = await enter(of)
    const xml = request({ id: '_posts', nameId: nameOf(of) }, of)
    const answer = locationOf(await send(signedRedirect(of, xml, { relayState: '"their" state' })))
    expect(await isSignedIn(browser)).toBe(false)
    const posted = await postedBy(of, answer, 'SAMLResponse')
    expect(posted).toMatchObject({ to: logoutResponseUrl, relayState: '&#34;their&#34; state' })
    for (const part of ['InResponseTo="_posts"', `Destination="${logoutResponseUrl}"`, 'status:Success'])
      expect(posted.xml).toContain(part)
  })

  test('is asked by a signed form at its address for requests, and its posted answer ends on our page', async () => {
    const of = await companyThat({ postLogout: true })
    const browser = await enter(of)
    const posted = await postedBy(of, await goesOnAt(browser), 'SAMLRequest')
    expect(await isSignedIn(browser)).toBe(false)
    expect(posted.to).toBe(logoutUrl)
    for (const part of [`Destination="${logoutUrl}"`, `>${nameOf(of)}</saml:NameID>`])
      expect(posted.xml).toContain(part)
    const back = await portal
      .browser()
      .submit(
        `/saml/${of.configId}/slo`,
        { SAMLResponse: 'anything', RelayState: posted.relayState },
        { 'sec-fetch-site': 'cross-site', origin: 'https://idp.example' },
      )
    expect(back.headers.location).toBe('/signed-out')
  })
})

test('an independent implementation is understood, and understands us', async () => {
  // It reads the machine's clock.
  portal.advance((Date.now() - portal.now().getTime()) / 1000)
  const { certificate } = await certificateOf(theirs)
  const library = new SAML({
    issuer: theirs.issuer,
    idpIssuer: `http://portal.test/saml/${theirs.configId}/metadata`,
    idpCert: certificate.toString(),
    privateKey: theirs.key.privateKey,
    signatureAlgorithm: 'sha256',
    logoutUrl: `http://portal.test/saml/${theirs.configId}/slo`,
    entryPoint: 'https://unused.example',
    callbackUrl: logoutUrl,
    validateInResponseTo: ValidateInResponseTo.never,
  })
  const read = ({ search }: URL) =>
    library.validateRedirectAsync(Object.fromEntries(new URLSearchParams(search)), search.slice(1))
  const browser = await signIn('_library')
  const user = { issuer: '', nameID: nameId, nameIDFormat: nameIdFormats.email, sessionIndex: '_library' }
  const asked = new URL(await library.getLogoutUrlAsync(user, 'theirs', {}))
  const answer = locationOf(await send(asked.pathname + asked.search))
  expect(await isSignedIn(browser)).toBe(false)
  expect(answer.searchParams.get('RelayState')).toBe('theirs')
  expect(await read(answer)).toMatchObject({ loggedOut: true })
  const again = await signIn('_again')
  const { headers } = await again.submit('/logout', {})
  const page = await again.get(String(headers.location), { accept: 'text/html' })
  const ours = new URL(String(page.headers.refresh).replace('0;url=', ''))
  expect(await read(ours)).toMatchObject({ loggedOut: true, profile: { nameID: nameId, sessionIndex: '_again' } })
})

test('what is kept for it says nothing to a reader of the database, and goes with the session', async () => {
  await db.deleteFrom('samlSessions').execute()
  const browser = await signIn('_kept')
  const rows = await db.selectFrom('samlSessions').selectAll().execute()
  expect(rows).toHaveLength(1)
  const [row] = rows
  const bytes = Buffer.concat([row?.sealed, row?.nameHash, row?.indexHash].map((part) => part ?? Buffer.alloc(0)))
  expect(bytes.includes(nameId) || bytes.includes('_kept')).toBe(false)
  await browser.submit('/logout', {})
  expect(await db.selectFrom('samlSessions').selectAll().execute()).toEqual([])
})
