import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())

const events = async (accountId: string) =>
  (
    await portal.system.db
      .selectFrom('auditEvents')
      .select('name')
      .where('actorId', '=', accountId)
      .orderBy('id')
      .execute()
  ).map(({ name }) => name)

test('a person signs out: the session ends everywhere, the cookies are cleared, one event is recorded', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  const before = browser.cookies()
  const response = await browser.submit('/logout', {})
  expect([response.statusCode, response.headers.location]).toEqual([303, '/'])
  expect(Object.keys(browser.cookies()).filter((name) => name.startsWith('portal_session'))).toEqual([])
  const kept = portal.browser()
  for (const [name, value] of Object.entries(before)) kept.setCookie(name, value)
  expect((await kept.get('/api/me')).statusCode).toBe(401)
  expect(await events(person.accountId)).toEqual(['loginSuccess', 'logout'])
})

test('signing out twice records one event, and redirects to the start both times', async () => {
  const person = await portal.person()
  const browser = await portal.signedIn(person)
  await browser.submit('/logout', {})
  const again = await browser.submit('/logout', {})
  expect([again.statusCode, again.headers.location]).toEqual([303, '/'])
  expect(await events(person.accountId)).toEqual(['loginSuccess', 'logout'])
})

test('another site cannot sign a user out, neither by a form nor by a link', async () => {
  const browser = await portal.signedIn(await portal.person())
  expect((await browser.submit('/logout', {}, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
  expect((await browser.submit('/logout', {}, { 'sec-fetch-site': 'same-site' })).statusCode).toBe(403)
  expect((await browser.get('/logout', { accept: 'text/html' })).statusCode).toBe(200)
  expect((await browser.get('/api/me')).statusCode).toBe(200)
})

describe('the page that signs out', () => {
  // A minimal version of the built page.
  const webFolder = mkdtempSync(join(tmpdir(), 'vestibule-logout-'))
  let app: FastifyInstance
  beforeAll(async () => {
    mkdirSync(join(webFolder, 'prerendered'))
    writeFileSync(join(webFolder, 'prerendered', 'logout.sv.html'), '%?ask%asks first%/ask%')
    app = (await createApp(portal.system, { webFolder })).app
  })
  afterAll(async () => {
    await app?.close()
    rmSync(webFolder, { recursive: true })
  })
  const page = async (site: string | undefined) => {
    const headers = { host: 'portal.test', ...(site === undefined ? {} : { 'sec-fetch-site': site }) }
    return (await app.inject({ url: '/logout', headers })).body
  }

  test('needs no confirmation for our own link or a typed address', async () => {
    for (const site of ['same-origin', 'none']) expect(await page(site), site).toBe('')
  })

  test('asks for confirmation when another site links to it, or the browser does not say', async () => {
    for (const site of ['cross-site', 'same-site', undefined]) expect(await page(site), site).toBe('asks first')
  })
})

test('the sign-out ends this session of the person and no other', async () => {
  const person = await portal.person()
  const [one, other] = [await portal.signedIn(person), await portal.signedIn(person)]
  await one.submit('/logout', {})
  expect((await other.get('/api/me')).statusCode).toBe(200)
})
