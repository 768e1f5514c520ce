import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#server/platform/ids.ts'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import type { Person } from '#test/people.ts'
import { callback, secret, servicesOf } from '#test/service.ts'
import { submitPassword } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())

const scope = 'openid profile email organization'
const scopes = ['openid', 'profile', 'email', 'organizations', 'organization']

/** A person of two organisations that both have the service, and the service's client. */
async function worldOfTwo() {
  const service = await portal.service()
  const [north, south] = [await portal.organization(`Norr ${newId()}`), await portal.organization(`Söder ${newId()}`)]
  const person = await portal.person()
  for (const { organizationId } of [north, south]) {
    await portal.offer(organizationId, service.serviceId)
    await portal.join(
      person.accountId,
      organizationId,
      organizationId === south.organizationId ? 'organizationAdmin' : 'regular',
    )
    await portal.assign(person.accountId, organizationId, service.serviceId)
  }
  const clientId = await servicesOf(portal).register({ serviceId: service.serviceId, scopes })
  return { service, north, south, person, clientId, browser: await portal.signedIn(person) }
}

/** Where an authorization request of this browser ends. */
async function ask(browser: Client, clientId: string, more: Record<string, string> = {}): Promise<URL> {
  const address = servicesOf(portal).requestFor(clientId, { scope, ...more })
  const response = await browser.get(address, { accept: 'text/html' })
  return new URL(String(response.headers.location), 'http://portal.test')
}
const errorOf = (url: URL) => Object.fromEntries([...url.searchParams].filter(([name]) => name.startsWith('error')))

async function enter(browser: Client, clientId: string, organizationId: string, more: Record<string, string> = {}) {
  const end = await ask(browser, clientId, { organization_id: organizationId, ...more })
  expect(end.href).toMatch(callback)
  return servicesOf(portal).tokensAt(clientId, end.href)
}
const userInfo = (token: string) => portal.browser().get('/oidc/me', { authorization: `Bearer ${token}` })
const introspect = async (clientId: string, token: string) => {
  const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
  return (await portal.browser().submit('/oidc/token/introspection', { token }, { authorization })).json()
}

describe('a service that asks for one organisation', () => {
  test('gets the only one that the person has it in, without a question', async () => {
    const { clientId, person, north, south, browser } = await worldOfTwo()
    await portal.system.db
      .deleteFrom('serviceAssignments')
      .where('accountId', '=', person.accountId)
      .where('organizationId', '=', south.organizationId)
      .execute()
    const end = await ask(browser, clientId)
    const tokens = await servicesOf(portal).tokensAt(clientId, end.href)
    expect(decodeJwt(tokens.id_token)).toMatchObject({ organization: { id: north.organizationId } })
  })

  test('is told of the one that the person picks, in every token, and of no other', async () => {
    const { clientId, north, south, browser } = await worldOfTwo()
    const question = await ask(browser, clientId)
    expect(question.pathname).toBe('/choose-organization')
    expect(question.searchParams.get('organizations')).toBe(`${north.organizationId} ${south.organizationId}`)
    const again = question.searchParams.get('returnTo') ?? ''
    const { headers } = await browser.get(`${again}&organization_id=${south.organizationId}`, { accept: 'text/html' })
    const tokens = await servicesOf(portal).tokensAt(clientId, String(headers.location))
    const claim = {
      organization: { id: south.organizationId, name: south.name, number: null },
      roles: ['organizationAdmin'],
    }
    const renewed = await servicesOf(portal).renew(clientId, tokens.refresh_token)
    for (const one of [tokens, renewed]) {
      expect(decodeJwt(one.id_token)).toMatchObject(claim)
      expect((await userInfo(one.access_token)).json()).toMatchObject(claim)
      expect(await introspect(clientId, one.access_token)).toMatchObject({ active: true, ...claim })
      const everything = JSON.stringify([
        decodeJwt(one.id_token),
        (await userInfo(one.access_token)).json(),
        await introspect(clientId, one.access_token),
      ])
      expect(everything).not.toContain(north.organizationId)
      expect(everything).not.toContain(north.name)
    }
    // The next time the last one comes first.
    const next = await ask(browser, clientId)
    expect(next.searchParams.get('organizations')).toBe(`${south.organizationId} ${north.organizationId}`)
  })

  test('learns nothing of another organisation by asking for all of them as well', async () => {
    const { clientId, north, south, browser } = await worldOfTwo()
    const claims = JSON.stringify({
      id_token: { organization: { value: south.organizationId }, organizations: null },
      userinfo: { organizations: null },
      organization: south.organizationId,
    })
    const tokens = await enter(browser, clientId, north.organizationId, { scope: `${scope} organizations`, claims })
    const told = [decodeJwt(tokens.id_token), (await userInfo(tokens.access_token)).json()]
    expect(told[0]).toMatchObject({ organization: { id: north.organizationId } })
    expect(told[1]).toMatchObject({ organizations: [{ id: north.organizationId }] })
    expect(JSON.stringify(told)).not.toContain(south.organizationId)
  })

  test('can be used for two organisations at a time, each with tokens of its own', async () => {
    const { clientId, north, south, browser } = await worldOfTwo()
    const first = await enter(browser, clientId, north.organizationId)
    const second = await enter(browser, clientId, south.organizationId)
    for (const [tokens, { organizationId }] of [[first, north] as const, [second, south] as const])
      expect((await userInfo(tokens.access_token)).json()).toMatchObject({ organization: { id: organizationId } })
  })

  test('gets `interaction_required` without a page, and names the organisation itself', async () => {
    const { clientId, north, browser } = await worldOfTwo()
    expect(errorOf(await ask(browser, clientId, { prompt: 'none' }))).toEqual({
      error: 'interaction_required',
      error_description: expect.stringContaining('organization_id'),
    })
    const end = await ask(browser, clientId, { prompt: 'none', organization_id: north.organizationId })
    expect(end.searchParams.get('code')).toBeTruthy()
  })
})

describe('an organisation that the person does not have the service in', () => {
  test('is refused like one that does not exist', async () => {
    const { clientId, service, browser } = await worldOfTwo()
    const foreign = await portal.organization(`Hemlig ${newId()}`)
    await portal.offer(foreign.organizationId, service.serviceId)
    const answers = []
    for (const organization_id of [foreign.organizationId, newId()]) {
      const silent = await ask(browser, clientId, { prompt: 'none', organization_id })
      const page = await ask(browser, clientId, { organization_id })
      answers.push([errorOf(silent), page.pathname])
    }
    expect(answers[0]).toEqual([
      { error: 'access_denied', error_description: 'the service is not assigned' },
      `/no-access/${service.serviceId}`,
    ])
    expect(answers[1]).toEqual(answers[0])
  })

  test('is refused by its form already where it is no id', async () => {
    const { clientId, browser } = await worldOfTwo()
    expect(errorOf(await ask(browser, clientId, { organization_id: "' or 1=1" }))).toMatchObject({
      error: 'invalid_request',
      error_description: 'organization_id must be the id of an organisation',
    })
  })
})

describe('tokens of an organisation die', () => {
  const dead = async (clientId: string, tokens: { access_token: string; refresh_token: string }) => {
    expect((await userInfo(tokens.access_token)).statusCode).toBe(401)
    expect(await introspect(clientId, tokens.access_token)).toEqual({ active: false })
    expect(await introspect(clientId, tokens.refresh_token)).toEqual({ active: false })
    expect(await servicesOf(portal).renew(clientId, tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' })
  }
  const endings: [string, (who: Person, organizationId: string, serviceId: string) => Promise<unknown>][] = [
    [
      'the service is taken back there',
      (who, organizationId, serviceId) =>
        portal.system.db
          .deleteFrom('serviceAssignments')
          .where('accountId', '=', who.accountId)
          .where('serviceId', '=', serviceId)
          .where('organizationId', '=', organizationId)
          .execute(),
    ],
    [
      'the membership ends',
      (who, organizationId) =>
        portal.system.db
          .deleteFrom('memberships')
          .where('accountId', '=', who.accountId)
          .where('organizationId', '=', organizationId)
          .execute(),
    ],
    [
      'the organisation asks for more than the session has',
      (_, organizationId) =>
        portal.system.db
          .updateTable('organizations')
          .set({ loginMethod: 'local2FA', requireLoginMethod: true })
          .where('organizationId', '=', organizationId)
          .execute(),
    ],
  ]
  test.each(endings)('when %s, and those of the other one go on', async (_, end) => {
    const { clientId, service, north, south, person, browser } = await worldOfTwo()
    const ended = await enter(browser, clientId, north.organizationId)
    const kept = await enter(browser, clientId, south.organizationId)
    const code = await ask(browser, clientId, { organization_id: north.organizationId })
    await end(person, north.organizationId, service.serviceId)
    expect((await userInfo(kept.access_token)).statusCode).toBe(200)
    await dead(clientId, ended)
    expect(await servicesOf(portal).tokensAt(clientId, code.href)).toMatchObject({ error: 'invalid_grant' })
  })
})

test('a service is told when it is taken back in the organisation that it was entered for, and not in another', async () => {
  const { clientId, service, north, south, person, browser } = await worldOfTwo()
  await enter(browser, clientId, north.organizationId)
  const told = () =>
    portal.system.db.selectFrom('logoutDeliveries').selectAll().where('clientId', '=', clientId).execute()
  const superUser = await portal.signedIn(await portal.person({ superUser: true }))
  const takeBack = async (organizationId: string) => {
    const answer = await superUser.post(`/api/users/${person.accountId}/organization/${organizationId}/service`, {
      services: [],
    })
    expect(answer.statusCode).toBe(204)
  }
  await takeBack(south.organizationId)
  expect(await told()).toHaveLength(0)
  await portal.assign(person.accountId, south.organizationId, service.serviceId)
  await takeBack(north.organizationId)
  expect(await told()).toHaveLength(1)
})

test('an organisation that asks for more asks first, and only for itself', async () => {
  const { clientId, north, south, browser, person } = await worldOfTwo()
  await portal.system.db
    .updateTable('organizations')
    .set({ loginMethod: 'local2FA', requireLoginMethod: true })
    .where('organizationId', '=', north.organizationId)
    .execute()
  const asked = await ask(browser, clientId, { organization_id: north.organizationId })
  expect(asked.pathname).toBe(`/enter/${north.organizationId}`)
  expect((await ask(browser, clientId, { organization_id: south.organizationId })).searchParams.has('code')).toBe(true)
  await browser.post('/api/step-up/code', {})
  await browser.post('/api/step-up/code/verify', { code: await outboxOf(portal).codeSentTo(person.email) })
  const { headers } = await browser.get(asked.searchParams.get('returnTo') ?? '', { accept: 'text/html' })
  const tokens = await servicesOf(portal).tokensAt(clientId, String(headers.location))
  expect(decodeJwt(tokens.id_token)).toMatchObject({ organization: { id: north.organizationId } })
})

test('the launcher says for which organisation it opens a service, and another service is not told', async () => {
  const { clientId, service, north, south, browser } = await worldOfTwo()
  const opened = await browser.get(`/launch/${service.serviceId}?organizationId=${south.organizationId}`)
  expect(opened.headers.location).toBe(service.url)
  const end = await ask(browser, clientId)
  const tokens = await servicesOf(portal).tokensAt(clientId, end.href)
  expect(decodeJwt(tokens.id_token)).toMatchObject({ organization: { id: south.organizationId } })
  // What the request says comes before.
  expect(decodeJwt((await enter(browser, clientId, north.organizationId)).id_token)).toMatchObject({
    organization: { id: north.organizationId },
  })
})

test('a fresh sign-in that the service asks for happens once, also with a choice after it', async () => {
  const { clientId, person, south } = await worldOfTwo()
  const browser = portal.browser()
  const { page } = await servicesOf(portal).openSignIn(browser, clientId, { scope, prompt: 'login' })
  const response = await submitPassword(browser, page, person.email)
  const { url } = await browser.follow(response)
  const question = new URL(url, 'http://portal.test')
  expect(question.pathname).toBe('/choose-organization')
  const again = `${question.searchParams.get('returnTo')}&organization_id=${south.organizationId}`
  const { headers } = await browser.get(again, { accept: 'text/html' })
  expect(headers.location).toMatch(callback)
})
