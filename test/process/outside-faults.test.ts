import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type BenchBrowser, createBrowser, signIn } from '../../bench/browser.ts'
import { type ServerProcess, startServerProcess, temporaryDataDir } from './server-process.ts'

// Mail server, SMS gateway, BankID and a company's identity provider are one port here: closed, or open and silent.
const timeout = 120_000
const password = 'Demo-password-1'
let server: ServerProcess
let database: TestDatabase
let folder: ReturnType<typeof temporaryDataDir>
let outside: Server
let port: number
const open = new Set<Socket>()

async function setOutside(state: 'down' | 'hanging'): Promise<void> {
  if (state === 'hanging') {
    await once(outside.listen(port, '127.0.0.1'), 'listening')
    return
  }
  for (const socket of open) socket.destroy()
  if (outside.listening) await new Promise((resolve) => outside.close(resolve))
}

beforeAll(async () => {
  outside = createServer((socket) => {
    open.add(socket.on('error', () => {}).on('close', () => open.delete(socket)))
    socket.resume()
  })
  await once(outside.listen(0, '127.0.0.1'), 'listening')
  port = (outside.address() as AddressInfo).port
  const url = `http://127.0.0.1:${port}`
  folder = temporaryDataDir()
  database = await createTestDatabase()
  server = await startServerProcess({
    dataDir: folder.dataDir,
    env: {
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      DEMO: 'on',
      LOG_LEVEL: 'error',
      LIMIT_AUTH_TYPE: '9999/60',
      LIMIT_API: '999999/60',
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      SMS_PROVIDER: '46elks',
      SMS_URL: url,
      SMS_USERNAME: 'user',
      SMS_PASSWORD: 'password',
      SMS_FROM: 'Vestibule',
      BANKID_URL: `${url}/rp/v6.0`,
    },
  })
  await server.ready
}, timeout)
afterAll(async () => {
  server?.signal('SIGKILL')
  await server?.ended
  await setOutside('down')
  await database?.drop()
  folder?.remove()
}, timeout)

interface Answer {
  status: number
  seconds: number
  location: string
  body: string
}

async function ask(path: string, { browser, body }: { browser?: BenchBrowser; body?: object } = {}): Promise<Answer> {
  const since = performance.now()
  const answer = await fetch(server.url + path, {
    method: body ? 'POST' : 'GET',
    redirect: 'manual',
    headers: {
      'sec-fetch-site': 'same-origin',
      accept: body ? 'application/json' : 'text/html, application/json',
      ...(body && { 'content-type': 'application/json' }),
      ...(browser && { cookie: browser.cookieHeader(path) }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const seconds = (performance.now() - since) / 1000
  return { status: answer.status, seconds, location: answer.headers.get('location') ?? '', body: text }
}

/** A new browser at the first page of a sign-in. */
async function beginSignIn(): Promise<{ browser: BenchBrowser; page: string }> {
  const browser = createBrowser(server.url)
  let at = '/login?returnTo=%2F'
  for (let steps = 0; steps < 5 && !at.startsWith('/interaction/'); steps++) at = (await browser.get(at)) ?? ''
  return { browser, page: at.split('?', 1)[0] ?? '' }
}

/** Begins with BankID, and asks until the page knows that it failed. @returns the first answer */
async function askBankId(): Promise<Answer> {
  const { browser, page } = await beginSignIn()
  const began = await ask(`${page}/bankid/start`, { browser, body: { email: 'user@havsvik.example' } })
  await expect
    .poll(async () => JSON.parse((await ask(`${page}/bankid`, { browser })).body), { timeout: 40_000, interval: 500 })
    .toMatchObject({ status: 'failed', message: 'rfa5' })
  return began
}

/** Begins with a company's OpenID Provider. */
async function askIdentityProvider(domain: string): Promise<Answer> {
  const { browser, page } = await beginSignIn()
  return ask(`${page}/saml?${new URLSearchParams({ email: `somebody@${domain}` })}`, { browser })
}

test.each(['down', 'hanging'] as const)(
  'while mail server, SMS gateway, BankID and identity provider are %s, each is answered in time and all else works',
  { timeout },
  async (state) => {
    await setOutside('down')
    await setOutside(state)
    const root = createBrowser(server.url)
    await signIn(root, 'super@vestibule.example', password)
    const domain = `${state}.example`
    const client = { clientId: 'portal', clientSecret: 'a-secret-of-the-company-with-32-bytes' }
    const config = { name: state, url: `http://127.0.0.1:${port}`, domain: `https://${domain}`, ...client }
    expect((await ask('/api/oidc-configs', { browser: root, body: config })).status).toBe(201)

    // Ten of each at once, more together than the portal has connections to its database.
    const ten = (work: () => Promise<Answer>) => Promise.all(Array.from({ length: 10 }, work))
    const away = Promise.all([
      ten(askBankId),
      ten(() => askIdentityProvider(domain)),
      ten(() => ask('/api/initiate-password-reset', { body: { email: 'user@nordvik.example' } })),
      ten(() => ask('/api/start-2fa-login', { body: { email: 'user@solberga.example', password } })),
    ])
    let ended = false
    const others: Answer[] = []
    const asking = away.finally(() => {
      ended = true
    })
    do others.push(await ask('/api/me', { browser: root }), await ask('/health/ready'))
    while (!ended)
    const [bankId, identityProvider, mails, codes] = await asking

    for (const { status, seconds } of bankId) {
      expect(status).toBe(200)
      expect(seconds).toBeLessThan(15)
    }
    for (const { status, location, seconds } of identityProvider) {
      expect([status, location]).toEqual([303, expect.stringContaining('samlFailed')])
      expect(seconds).toBeLessThan(15)
    }
    for (const { status, seconds } of [...mails, ...codes]) {
      expect([204, 429]).toContain(status)
      expect(seconds).toBeLessThan(15)
    }
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]))
    const times = others.map(({ seconds }) => seconds).sort((one, other) => one - other)
    expect(times[Math.floor(times.length / 2)]).toBeLessThan(1)
    await signIn(createBrowser(server.url), 'both@nordvik.example', password)
  },
)
