import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { freePort } from '#test/free-port.ts'
import { createBrowser, signIn } from '../../bench/browser.ts'
import { isPoolerInstalled, type Pooler, startPooler } from './pooler.ts'
import { isInstalled, type ReverseProxy, startProxy } from './proxies.ts'
import { type ServerProcess, startServerProcess, temporaryDataDir } from './server-process.ts'

const timeout = 120_000
const baseUrl = 'http://portal.localhost:8080'
const email = 'user@nordvik.example'
const password = 'Demo-password-1'
const lookups = 20

const missing = [isInstalled('haproxy') ? [] : 'haproxy', isPoolerInstalled() ? [] : 'pgbouncer'].flat().join(' and ')

if (process.env.CI && missing) throw new Error(`${missing} must be installed`)

// Two of the three reach their database through PgBouncer, which gives each transaction any of three connections.
describe.skipIf(missing)(`three nodes behind HAProxy${missing && ` (not installed: ${missing})`}`, () => {
  let database: TestDatabase
  let pooler: Pooler
  let proxy: ReverseProxy
  let folder: ReturnType<typeof temporaryDataDir>
  const nodes: ServerProcess[] = []
  const addressOf = ({ url }: ServerProcess) => new URL(url).host.replace('localhost', '127.0.0.1')

  const start = async (env: Record<string, string>) => {
    const node = await startServerProcess({
      dataDir: folder.dataDir,
      env: {
        DATABASE_URL: database.appUrl,
        DATABASE_OWNER_URL: database.ownerUrl,
        PORT: String(await freePort()),
        BASE_URL: baseUrl,
        LIMIT_AUTH_TYPE: '9999/60',
        LIMIT_BEGUN_SIGN_IN: '9999/60',
        LIMIT_TOKEN_LOOKUP: `${lookups}/600`,
        LOG_LEVEL: 'error',
        ...env,
      },
    })
    nodes.push(node)
    return node
  }
  beforeAll(async () => {
    folder = temporaryDataDir()
    database = await createTestDatabase()
    pooler = await startPooler(database.appUrl)
    await (await start({ DEMO: 'on', DATABASE_POOLER_URL: pooler.url })).ready
    await Promise.all([
      start({ DEMO: 'on', DATABASE_POOLER_URL: pooler.url }).then(({ ready }) => ready),
      start({ DEMO: 'on' }).then(({ ready }) => ready),
    ])
    proxy = await startProxy('haproxy', nodes.map(addressOf), { fall: 40 })
    await wait(1000)
  }, timeout)
  afterAll(async () => {
    for (const node of nodes) node.signal('SIGINT')
    await Promise.all(nodes.map(({ ended }) => ended))
    await proxy?.stop()
    await pooler?.stop()
    await database?.drop()
    folder?.remove()
  }, timeout)

  interface Sent {
    method?: 'PUT'
    body?: object
    cookie?: string
    headers?: Record<string, string>
  }
  const send = async (server: string, path: string, { method, body, cookie, headers }: Sent = {}) => {
    const answer = await request(server + path, {
      method: method ?? (body ? 'POST' : 'GET'),
      headers: {
        ...headers,
        host: new URL(baseUrl).host,
        accept: 'application/json',
        'sec-fetch-site': 'same-origin',
        ...(cookie && { cookie }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const cookies = [answer.headers['set-cookie'] ?? []].flat().map((one) => one.split(';', 1)[0])
    return { status: answer.statusCode, text: await answer.body.text(), cookie: cookies.join('; ') }
  }
  const askEach = (path: string, options: Sent) =>
    Promise.all(nodes.map((node) => send(`http://${addressOf(node)}`, path, options)))
  const onEach = async (path: string, options: Sent) => (await askEach(path, options)).map(({ status }) => status)
  const newBrowser = () => createBrowser(baseUrl, () => proxy.url)

  test('twelve people sign in at once, each request at another node', { timeout }, async () => {
    const people = ['admin@nordvik.example', email, 'both@nordvik.example', 'admin@alvdal.example']
    const browsers = [...people, ...people, ...people].map((one) => ({ one, ...newBrowser() }))
    await Promise.all(browsers.map(({ one, ...browser }) => signIn(browser, one, password)))
    for (const browser of browsers)
      expect(await onEach('/api/me', { cookie: browser.cookieHeader('/api/me') })).toEqual([200, 200, 200])
  })

  test('nine right passwords of one account at once, three at each node, are all right', { timeout }, async () => {
    for (let round = 0; round < 5; round++) {
      const attempts = nodes.flatMap((node) => [node, node, node])
      const body = { email: 'admin@alvdal.example', password }
      const answers = await Promise.all(
        attempts.map((node) => send(`http://${addressOf(node)}`, '/api/verify-credentials', { body })),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(204))
    }
  })

  test('who signs out is out at every node within a second', { timeout }, async () => {
    const browser = newBrowser()
    await signIn(browser, email, password)
    const cookie = browser.cookieHeader('/api/me')
    expect(await onEach('/api/me', { cookie })).toEqual([200, 200, 200])
    await browser.submit('/logout', {})
    const since = performance.now()
    await expect.poll(() => onEach('/api/me', { cookie }), { interval: 50 }).toEqual([401, 401, 401])
    expect(performance.now() - since).toBeLessThan(1000)
  })

  test('a link counts once, also when three nodes get it at the same moment, and it ends all sessions', {
    timeout,
  }, async () => {
    const browser = newBrowser()
    await signIn(browser, email, password)
    const cookie = browser.cookieHeader('/api/me')
    expect((await send(proxy.url, '/api/initiate-password-reset', { body: { email } })).status).toBe(204)
    const findLink = async () => /\/reset-password\/([\w-]+)/.exec((await send(proxy.url, '/dev/outbox')).text)?.[1]
    await expect.poll(findLink).toBeTruthy()
    const token = await findLink()
    const newPassword = 'Another-password-2'
    const body = { email, token, newPassword, confirmNewPassword: newPassword }
    const statuses = await onEach('/api/reset-password', { body })
    const since = performance.now()
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(statuses.filter((status) => status >= 400 && status < 500)).toHaveLength(2)
    await expect.poll(() => onEach('/api/me', { cookie }), { interval: 50 }).toEqual([401, 401, 401])
    expect(performance.now() - since).toBeLessThan(1000)
    await signIn(newBrowser(), email, newPassword)
  })

  test('a mailed code counts once, also when three nodes get it at the same moment', { timeout }, async () => {
    const form = { email: 'admin@solberga.example', password }
    const { status, cookie } = await send(proxy.url, '/api/start-2fa-login', { body: form })
    expect(status).toBe(204)
    const findCode = async () => {
      const { text } = await send(proxy.url, '/dev/outbox')
      const mails: { to: string; text: string }[] = JSON.parse(text)
      return /\b[0-9]{6}\b/.exec(mails.find(({ to }) => to === form.email)?.text ?? '')?.[0]
    }
    await expect.poll(findCode).toBeTruthy()
    const body = { ...form, code: await findCode(), codeDeliveryType: 'email' }
    const statuses = await onEach('/api/verify-credentials-2fa', { body, cookie })
    expect(statuses.sort()).toEqual([204, 401, 401])
    expect(await onEach('/api/verify-credentials-2fa', { body, cookie })).toEqual([401, 401, 401])
  })

  test('what three nodes get at the same moment is done once', { timeout }, async () => {
    const browser = newBrowser()
    await signIn(browser, 'super@vestibule.example', password)
    const cookie = browser.cookieHeader('/api/services')
    const added = await askEach('/api/services', {
      body: { name: 'Lönesystem', url: 'https://pay.example/' },
      cookie,
      headers: { 'idempotency-key': 'one-and-the-same' },
    })
    expect(added.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(added.map(({ text }) => text)).size).toBe(1)

    // Three people changed what they had read; two of them read something that is no longer so.
    const { serviceId, version } = JSON.parse(added[0]?.text ?? '')
    const body = { serviceId, version, description: 'Löner' }
    expect((await onEach('/api/services', { method: 'PUT', body, cookie })).sort()).toEqual([200, 409, 409])
  })

  test('the nodes count a limit together', { timeout }, async () => {
    // Two of the three tries above were counted, too; the one that changed the password was given back.
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(proxy.url, '/api/reset-password/made-up')))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.length - refused.length).toBe(lookups - 2)
    expect(new Set(await onEach('/api/reset-password/made-up', {}))).toEqual(new Set([429]))
  })

  test('a pooler that sets no time-outs is refused at the start', { timeout }, async () => {
    const node = await start({ DATABASE_POOLER_URL: pooler.bareUrl })
    expect(await node.ended).toBe(1)
    expect(node.output()).toContain('DATABASE_POOLER_URL: the pooler must set time-outs')
  })
})
