import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Client } from './client.ts'
import { forged } from './forged.ts'
import { invite, invitePath, tokenIn } from './invitations.ts'
import { type Person, testPassword } from './people.ts'
import { type TestApp, testApp } from './test-app.ts'

const office = '203.0.113.5'
const wrong = 'Wrong-horse-7-battery'

let portal: TestApp
let refused: number
beforeAll(async () => {
  portal = await testApp({ TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => portal.close())
beforeEach(() => {
  portal.advance(2 * 24 * 3600)
  refused = 0
})

const browserAt = (address = office) => portal.browser({ 'x-forwarded-for': address })
const noted = <Answer extends { statusCode: number }>(answer: Answer): Answer => {
  if (answer.statusCode === 429 || answer.statusCode === 503) refused++
  return answer
}
const ask = async (browser: Client, email: string) =>
  noted(await browser.get(`/api/authType?${new URLSearchParams({ email })}`)).statusCode
const verify = async (browser: Client, email: string, password: string) =>
  noted(await browser.post('/api/verify-credentials', { email, password })).statusCode

/** The page of a sign-in that is begun; undefined where it is refused. */
async function begin(browser: Client): Promise<string | undefined> {
  const { headers } = await browser.get('/login', { accept: 'text/html' })
  const [page = ''] = String(headers.location).split('?')
  if (page.startsWith('/interaction/')) return page
  refused++
  return undefined
}

/** A sign-in as the pages make it: it is begun, asks for the way, mistypes the password so often, and is right. */
async function signInAt(browser: Client, { email }: Person, typos = 0): Promise<boolean> {
  const page = await begin(browser)
  await ask(browser, email)
  for (let typo = 0; typo < typos; typo++) await verify(browser, email, wrong)
  const form = { email, login: email, password: testPassword }
  const { headers } = noted(await browser.submit(`${page}/login`, form))
  return headers.location === '/'
}

test('5,000 new browsers behind one address begin a sign-in within ten minutes, most of them in the middle, and none is refused', {
  timeout: 300_000,
}, async () => {
  const people = 5000
  // As many at each moment as a bell has height there, two minutes wide: 1,000 in the busiest minute.
  const bell = Array.from({ length: 600 }, (_, second) => Math.exp(-0.5 * ((second - 300) / 120) ** 2))
  const whole = bell.reduce((sum, height) => sum + height)
  let begun = 0
  let due = 0
  for (const height of bell) {
    due += (people * height) / whole
    const now = Math.round(due) - begun
    begun += now
    await Promise.all(Array.from({ length: now }, () => begin(browserAt())))
    portal.advance(1)
  }
  expect([begun, refused]).toEqual([people, 0])
})

test('they sign in, every tenth mistypes the password, and none is refused', { timeout: 120_000 }, async () => {
  // 500 in a minute, as 5,000 in ten; all in new browsers.
  for (let person = 0; person < 300; person++) {
    expect(await signInAt(browserAt(), await portal.person(), person % 10 === 0 ? 1 + (person % 3) : 0)).toBe(true)
    portal.advance(60 / 500)
  }
  expect(refused).toBe(0)
})

test('guesses from the same address are bounded as before, and keep out nobody whose browser has signed in', {
  timeout: 60_000,
}, async () => {
  const [regular, stranger] = [await portal.person(), await portal.person()]
  const own = browserAt()
  expect(await signInAt(own, regular)).toBe(true)
  portal.advance(13 * 3600)
  const guesses = []
  for (let account = 0; account < 25; account++)
    guesses.push(await verify(browserAt(), (await portal.person()).email, wrong))
  expect(guesses).toEqual([...Array(20).fill(401), ...Array(5).fill(429)])
  const asked = []
  for (let account = 0; account < 35; account++) asked.push(await ask(browserAt(), `nobody${account}@unknown.example`))
  expect(asked).toEqual([...Array(30).fill(200), ...Array(5).fill(429)])

  refused = 0
  expect(await signInAt(own, regular, 3)).toBe(true)
  expect(refused).toBe(0)
  // What the browser may do for its own account, it may not do for others.
  expect(await ask(own, stranger.email)).toBe(429)
  expect(await verify(own, stranger.email, testPassword)).toBe(429)
})

test('a right password gives back its own typos, and none of the guesses that others made before or since', async () => {
  const guess = async () => verify(browserAt(), (await portal.person()).email, wrong)
  const mistyped = await portal.person()
  // Four typos at the end of one window of five minutes, the right password in the next.
  expect(await guess()).toBe(401)
  portal.advance(290)
  for (let typo = 0; typo < 4; typo++) expect(await verify(browserAt(), mistyped.email, wrong)).toBe(401)
  portal.advance(20)
  for (let count = 0; count < 10; count++) expect(await guess()).toBe(401)
  expect(await verify(browserAt(), mistyped.email, testPassword)).toBe(204)
  const more = []
  for (let count = 0; count < 12; count++) more.push(await guess())
  expect(more).toEqual([...Array(10).fill(401), 429, 429])
})

test('links of a whole office open on the day on which all are invited; made-up ones are bounded', async () => {
  const { organizationId } = await portal.organization()
  const admin = await portal.signedIn(await portal.person({ superUser: true }))
  const tokens = []
  for (let person = 0; person < 25; person++) {
    const email = `invited${person}@office.test.example`
    expect((await invite(admin, organizationId, email)).statusCode).toBeLessThan(300)
    tokens.push(tokenIn((await admin.get(invitePath(email, organizationId))).json().url))
  }
  const open = async (token: string) =>
    (await browserAt().get(`/api/invites?${new URLSearchParams({ token })}`)).statusCode
  for (const token of tokens) expect(await open(token)).toBe(200)
  const madeUp = []
  for (let count = 0; count < 22; count++) madeUp.push(await open(forged(tokens[0] ?? '')))
  expect(madeUp).toEqual([...Array(20).fill(404), 429, 429])
})

test('a flood from many addresses is bounded, and keeps out nobody whose browser has signed in', async () => {
  const flooded = await testApp({ TRUSTED_PROXIES: '127.0.0.1', LIMIT_BEGUN_SIGN_IN_TOTAL: '50/60' })
  try {
    const person = await flooded.person()
    const own = await flooded.signedIn(person)
    flooded.advance(13 * 3600)
    const beginAt = async (address: number) => {
      const browser = flooded.browser({ 'x-forwarded-for': `2001:db8:${address.toString(16)}::1` })
      if (await begin(browser)) return 'begun'
      const { response } = await browser.follow(await browser.get('/login'))
      return `${response.statusCode}, ${response.headers['retry-after']}`
    }
    const answers = []
    for (let address = 1; address <= 60; address++) answers.push(await beginAt(address))
    expect(answers).toEqual([...Array(50).fill('begun'), ...Array(10).fill('429, 2')])
    expect(await begin(own)).toBeDefined()
    expect((await flooded.system.counters.limitsHit.get()).values).toContainEqual(
      expect.objectContaining({ labels: { limit: 'begunSignInTotal' } }),
    )
    flooded.advance(60)
    expect(await beginAt(61)).toBe('begun')
  } finally {
    await flooded.close()
  }
})
