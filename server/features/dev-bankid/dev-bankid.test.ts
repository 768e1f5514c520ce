import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testPersonalNumber } from '#server/demo/test-personal-number.ts'
import { bankIdOf } from '#test/bankid.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let bankid: ReturnType<typeof bankIdOf>
beforeAll(async () => {
  portal = await testApp()
  bankid = bankIdOf(portal)
})
afterAll(() => portal?.close())
beforeEach(() => portal.advance(3600))

/** The demo's Helena Havström, whom the phone app knows by name. */
const helena = testPersonalNumber('19790808')
const english = { 'accept-language': 'en' }
const phone = () => portal.browser()
const act = (fields: Record<string, string>) => phone().submit('/dev/bankid', fields)
const orderIn = (location: unknown) => new URL(String(location), 'http://portal.test').searchParams.get('order') ?? ''
const noteIn = (location: unknown) => new URL(String(location), 'http://portal.test').searchParams.get('note')

async function waiting({ email = 'someone@havsvik.example', ...device }: { email?: string; device?: 'this' } = {}) {
  const signIn = await bankid.begin(email, device)
  const [order] = (await phone().get('/dev/bankid/waiting')).json()
  return { signIn, id: String(order.id) }
}

describe('the phone app', () => {
  test('lists the waiting sign-ins, opens one, and identifies as a demo user', async () => {
    const { email } = await portal.person({ loginMethod: 'bankid', ssn: helena })
    expect((await phone().get('/dev/bankid', english)).body).toMatch(/data-empty>No sign-in is waiting/)
    const { signIn, id } = await waiting({ email })
    const list = (await phone().get('/dev/bankid', english)).body
    expect([list.includes('Du loggar in hos Vestibule.'), list.includes(id)]).toEqual([true, true])
    const { headers } = await act({ action: 'pick', order: id })
    const page = (await phone().get(String(headers.location), english)).body
    expect(page).toContain(`Helena Havström, ${helena}`)
    portal.advance(2)
    expect((await signIn.state()).message).toBe('rfa9')
    const done = await act({ action: 'identify', order: id, person: helena, scenario: 'ok' })
    expect(noteIn(done.headers.location)).toBe('done')
    portal.advance(2)
    expect((await signIn.state()).status).toBe('complete')
    expect((await signIn.complete()).headers.location).toBe('/')
  })

  test('reads a code that is pasted, and no other', async () => {
    const { signIn, id } = await waiting()
    const scanned = await act({ action: 'scan', qrData: ` ${signIn.begun.qrData} ` })
    expect(orderIn(scanned.headers.location)).toBe(id)
    expect(noteIn((await act({ action: 'scan', qrData: signIn.begun.qrData ?? '' })).headers.location)).toBe('gone')
    expect(noteIn((await act({ action: 'scan', qrData: 'bankid.x.0.y' })).headers.location)).toBe('gone')
  })

  test('is opened by the link of the same device', async () => {
    const { signIn, id } = await waiting({ device: 'this' })
    const link = `${signIn.begun.phoneApp}?autostarttoken=${signIn.begun.autoStartToken}&redirect=null`
    const opened = await phone().get(link)
    expect([opened.statusCode, orderIn(opened.headers.location)]).toEqual([303, id])
    portal.advance(2)
    expect((await signIn.state('opened')).message).toBe('rfa15a')
    // The app returns to the portal.
    const { location } = (await act({ action: 'identify', order: id, person: helena })).headers
    expect(location).toContain(`http://portal.test${signIn.page}/bankid/back?nonce=`)
  })

  test('cancels', async () => {
    const { signIn, id } = await waiting()
    await act({ action: 'pick', order: id })
    expect(noteIn((await act({ action: 'cancel', order: id })).headers.location)).toBe('cancelled')
    portal.advance(2)
    expect(await signIn.state()).toMatchObject({ status: 'failed', message: 'rfa6' })
  })

  test('takes a number that is typed, if it is one of the test series', async () => {
    const { id } = await waiting()
    await act({ action: 'pick', order: id })
    const identify = (otherNumber: string) => act({ action: 'identify', order: id, person: helena, otherNumber })
    expect(noteIn((await identify('199908072392')).headers.location)).toBe('wrongNumber')
    expect(noteIn((await identify('19121212-1212')).headers.location)).toBe('done')
  })

  test('keeps the language and the order when the language is changed', async () => {
    const { id } = await waiting()
    await act({ action: 'pick', order: id })
    const page = (await phone().get(`/dev/bankid?order=${id}`, english)).body
    expect(page).toContain(`href="/dev/bankid?order=${id}&#38;lang=sv"`)
    expect((await phone().get(`/dev/bankid?order=${id}&lang=sv`, english)).body).toContain('<html lang="sv">')
  })

  test('holds to the policy of all pages', async () => {
    const { headers, body } = await phone().get('/dev/bankid')
    expect(headers['content-security-policy']).toContain("script-src 'self'")
    expect(body).not.toMatch(/<script(?! type="module" src=)|\sstyle=|\son\w+=/)
    expect((await phone().get('/dev/bankid.css')).headers['content-type']).toBe('text/css; charset=utf-8')
    expect((await phone().get('/dev/bankid.js')).headers['content-type']).toBe('text/javascript; charset=utf-8')
  })
})

test('in production there is no phone app, and without BANKID_URL no sign-in with BankID', async () => {
  const production = await testApp({
    NODE_ENV: 'production',
    BASE_URL: 'https://portal.test',
    MASTER_KEY: 'q8Zt0nV3mKx7RbY2LdWc5HfJ9sGaPuEe1iTo4vMzXk6',
    DATABASE_URL: 'postgres://unused.invalid/db',
    SMTP_URL: 'smtps://unused.invalid',
  })
  try {
    for (const url of ['/dev/bankid', '/dev/bankid/waiting', '/dev/bankid.css', '/dev/bankid.js'])
      expect((await production.browser().get(url)).statusCode).toBe(404)
    const browser = production.browser()
    const { url } = await browser.follow(await browser.get('/login', { accept: 'text/html' }))
    const { statusCode, headers, ...answer } = await browser.post(`${url}/bankid/start`, { email: 'a@havsvik.example' })
    expect([statusCode, answer.json().message, headers['retry-after']]).toEqual([503, 'temporarilyUnavailable', '60'])
  } finally {
    await production.close()
  }
})
