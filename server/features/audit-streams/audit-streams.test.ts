import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AuditStream } from '#contract/audit-streams/audit-streams.ts'
import { sealAuditEvents } from '#server/platform/audit/sealer.ts'
import type { Client } from '#test/client.ts'
import { outboxOf } from '#test/outbox.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { deliverDue, type StreamsContext, startAuditStreams } from './audit-streams.ts'
import { keepOperatorsStreams } from './due-streams.repository.ts'
import { createAuditHeadsJob } from './send-heads.ts'

const certificate = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../simulators/bankid/certificates', name), 'utf8')

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp()
  const person = await portal.person({ email: 'root@streams.example', superUser: true, preferredLanguage: 'en' })
  root = await portal.signedIn(person)
})
afterAll(() => portal?.close())

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
  for (const { streamId } of await list()) await root.delete(`/api/audit-streams/${streamId}`)
})

interface Received {
  headers: Record<string, string>
  body: string
}
/** A receiver that answers what `answer` says, and remembers what it got. */
async function receiver(answer: (response: ServerResponse, nth: number) => void = (response) => response.end()) {
  const received: Received[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(parts).toString() })
    answer(response, received.length)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  open.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const names = () => received.map(({ body }) => JSON.parse(body).type)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, names }
}
const add = async (url: string): Promise<{ streamId: string; secret: string }> => {
  const response = await root.post('/api/audit-streams', { url })
  expect(response.statusCode, response.body).toBe(201)
  // The event of adding it comes first.
  await deliver()
  return response.json()
}
const list = async (): Promise<AuditStream[]> => (await root.get('/api/audit-streams')).json()
const stateOf = async (streamId: string) => (await list()).find((stream) => stream.streamId === streamId)
const change = async (name: string) => root.post('/api/services', { name, url: 'https://service.example' })

const context = (more: Partial<StreamsContext> = {}): StreamsContext => ({
  ...portal.system,
  syslog: undefined,
  writeLine: undefined,
  ...more,
})
async function deliver(more: Partial<StreamsContext> = {}) {
  await sealAuditEvents(portal.system.db)
  await Promise.all(await deliverDue(context(more), new AbortController().signal))
}
/** The library refuses what is more than five minutes away from its own clock. */
const verified = (secret: string, { headers, body }: Received) => {
  const now = Date.now
  Date.now = () => portal.now().getTime()
  try {
    return new Webhook(secret).verify(body, headers)
  } finally {
    Date.now = now
  }
}

describe('an endpoint', () => {
  test('gets each event once, in a signed message with ids and nothing about people', async () => {
    const { url, received, names } = await receiver()
    const { streamId, secret } = await add(url)
    received.splice(0)
    await change('Journal of Astrid')
    await deliver()
    await deliver()
    expect(names()).toEqual(['audit.createService'])
    const [message] = received as [Received]
    const { deliveredSeq } = (await stateOf(streamId)) as AuditStream
    expect(verified(secret, message)).toEqual({
      type: 'audit.createService',
      timestamp: portal.now().toISOString(),
      data: {
        seq: deliveredSeq,
        eventId: expect.any(String),
        actorId: expect.any(String),
        targetId: expect.any(String),
        organizationIds: [],
        requestId: expect.any(String),
      },
    })
    expect(message.body).not.toMatch(/Astrid|root@/)
    expect(() => verified(`whsec_${Buffer.alloc(32).toString('base64')}`, message)).toThrow()
    expect(await stateOf(streamId)).toMatchObject({
      waiting: 0,
      failures: 0,
      lastDeliveredAt: portal.now().toISOString(),
    })
  })

  test('is signed for by both secrets for a day after a change, and then by the new one', async () => {
    const { url, received } = await receiver()
    const { streamId, secret } = await add(url)
    const { secret: fresh } = (await root.post(`/api/audit-streams/${streamId}/secret`)).json()
    await deliver()
    const both = received.at(-1) as Received
    expect(verified(secret, both)).toEqual(verified(fresh, both))
    portal.advance(24 * 3600 + 1)
    root = await portal.signedIn(await portal.person({ superUser: true }))
    await deliver()
    const one = received.at(-1) as Received
    expect(verified(fresh, one)).toBeTruthy()
    expect(() => verified(secret, one)).toThrow()
  })

  test('gets the head of the chain from a job, also beside one that is down', async () => {
    const down = await receiver((response) => response.writeHead(500).end())
    const { url, received } = await receiver()
    await add(down.url)
    const { secret } = await add(url)
    received.splice(0)
    await createAuditHeadsJob(portal.system).run()
    const { rows } = await portal.system.pool.query(`select seq, encode(hash, 'hex') as hash from audit_head`)
    expect(received).toHaveLength(1)
    expect(verified(secret, received[0] as Received)).toEqual({
      type: 'audit.head',
      timestamp: portal.now().toISOString(),
      data: rows[0],
    })
  })

  test('shows its secret once, and the database, the log and the audit log never', async () => {
    const { url } = await receiver()
    const { secret } = await add(url)
    const { rows } = await portal.system.pool.query('select * from audit_streams, audit_events')
    for (const text of [
      JSON.stringify(rows),
      JSON.stringify(portal.logged),
      (await root.get('/api/audit-streams')).body,
    ])
      expect(text).not.toContain(secret)
  })

  test('that fails is tried ten times in three days with the same id, then stopped with a mail', async () => {
    const { url, received } = await receiver((response) => response.writeHead(500).end('a secret of the receiver'))
    const { streamId } = await add(url)
    const began = portal.now().getTime()
    for (let tries = 1; tries < 40 && !(await stateOf(streamId))?.stopped; tries++) {
      const { nextTryAt } = (await stateOf(streamId)) as AuditStream
      const seconds = (Date.parse(nextTryAt ?? '') - portal.now().getTime()) / 1000
      portal.advance(seconds - 1)
      const before = received.length
      await deliver()
      expect(received).toHaveLength(before)
      portal.advance(1)
      await deliver()
      root = await portal.signedIn(await portal.person({ superUser: true }))
    }
    const tries = received.filter(({ headers }) => headers['webhook-id'] === received[0]?.headers['webhook-id'])
    expect(tries).toHaveLength(10)
    expect((portal.now().getTime() - began) / 3600_000).toBeCloseTo(72, 0)
    expect(await stateOf(streamId)).toMatchObject({ stopped: 'failed', lastProblem: 'HTTP 500', failures: 10 })
    const mails = await outboxOf(portal).messagesTo('root@streams.example')
    expect(JSON.stringify(mails)).toContain(url)
    expect(JSON.stringify([mails, portal.logged])).not.toContain('a secret of the receiver')
    const events = (await root.get(`/api/audit-events?targetIdFilter=${streamId}&nameFilter=stopAuditStream`)).json()
    expect(events.totalCount).toBe(1)
  })

  test('that is gone is stopped straight away, and one that asks for time is given it', async () => {
    const gone = await receiver((response) => response.writeHead(410).end())
    const busy = await receiver((response) => response.writeHead(503, { 'retry-after': '3600' }).end())
    const [first, second] = [await add(gone.url), await add(busy.url)]
    await deliver()
    expect(await stateOf(first.streamId)).toMatchObject({ stopped: 'gone', lastProblem: 'HTTP 410' })
    const { nextTryAt } = (await stateOf(second.streamId)) as AuditStream
    expect(Date.parse(nextTryAt ?? '') - portal.now().getTime()).toBe(3600_000)
  })

  test('that redirects has failed', async () => {
    const other = await receiver()
    const { url } = await receiver((response) => response.writeHead(302, { location: other.url }).end())
    const { streamId } = await add(url)
    expect(await stateOf(streamId)).toMatchObject({ failures: 1, lastProblem: 'outgoingRedirect' })
    expect(other.received).toEqual([])
  })

  test('that does not answer delays no other one', async () => {
    const silent = await receiver(() => {})
    const good = await receiver()
    await root.post('/api/audit-streams', { url: silent.url })
    await root.post('/api/audit-streams', { url: good.url })
    await sealAuditEvents(portal.system.db)
    const streams = startAuditStreams(context())
    await expect.poll(() => silent.received.length, { timeout: 5000 }).toBeGreaterThan(0)
    await change('While one is silent')
    await sealAuditEvents(portal.system.db)
    await expect.poll(() => good.names().at(-1), { timeout: 5000 }).toBe('audit.createService')
    for (const close of open.splice(0)) await close()
    await streams.stop()
  })
})

describe('a super user', () => {
  test('sends everything again from a number or a moment on, with the same ids, also to a stopped endpoint', async () => {
    let status = 410
    const { url, received, names } = await receiver((response) => response.writeHead(status).end())
    const { streamId } = await add(url)
    status = 200
    portal.advance(10)
    const from = portal.now().toISOString()
    await change('One')
    await change('Two')
    await deliver()
    expect((await stateOf(streamId))?.stopped).toBe('gone')
    received.splice(0)
    await root.post(`/api/audit-streams/${streamId}/resend`, {})
    await deliver()
    expect(names()).toContain('audit.createAuditStream')
    const ids = received.map(({ headers }) => headers['webhook-id'])
    received.splice(0)
    await root.post(`/api/audit-streams/${streamId}/resend`, { from })
    await deliver()
    expect(names().slice(0, 2)).toEqual(['audit.createService', 'audit.createService'])
    expect(ids).toContain(received[0]?.headers['webhook-id'])
    const fromSeq = JSON.parse(received[1]?.body ?? '').data.seq
    received.splice(0)
    await root.post(`/api/audit-streams/${streamId}/resend`, { fromSeq })
    await deliver()
    expect(JSON.parse(received[0]?.body ?? '').data.seq).toBe(fromSeq)
    received.splice(0)
    const one = await root.post(`/api/audit-streams/${streamId}/resend-one`, { seq: fromSeq })
    expect(one.json()).toEqual({ delivered: true, problem: null })
    expect(JSON.parse(received[0]?.body ?? '').data.seq).toBe(fromSeq)
    expect((await root.post(`/api/audit-streams/${streamId}/resend-one`, { seq: 999_999 })).statusCode).toBe(422)
  })

  test('tests an endpoint and is told what is wrong with it', async () => {
    let status = 200
    const { url, received } = await receiver((response) => response.writeHead(status).end())
    const { streamId, secret } = await add(url)
    received.splice(0)
    const tested = async () => (await root.post(`/api/audit-streams/${streamId}/test`)).json()
    expect(await tested()).toEqual({ delivered: true, problem: null })
    expect(verified(secret, received[0] as Received)).toMatchObject({ type: 'test' })
    status = 404
    expect(await tested()).toEqual({ delivered: false, problem: 'HTTP 404' })
  })

  test('cannot add an address in an internal network, or the same one twice', async () => {
    for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/latest', 'http://[fd00::1]/']) {
      const response = await root.post('/api/audit-streams', { url })
      expect(response.statusCode).toBe(422)
      expect(response.json().issues).toEqual([{ path: 'url', message: 'outgoingInternal' }])
    }
    const { url } = await receiver()
    await add(url)
    expect((await root.post('/api/audit-streams', { url })).statusCode).toBe(409)
  })

  test('leaves an event with each change', async () => {
    const { url } = await receiver()
    const { streamId } = await add(url)
    await root.post(`/api/audit-streams/${streamId}/secret`)
    await root.post(`/api/audit-streams/${streamId}/resend`, { fromSeq: 1 })
    await root.post(`/api/audit-streams/${streamId}/test`)
    await root.delete(`/api/audit-streams/${streamId}`)
    const { items } = (await root.get(`/api/audit-events?targetIdFilter=${streamId}&sortDirection=asc`)).json()
    expect(items.map(({ name }: { name: string }) => name)).toEqual([
      'createAuditStream',
      'renewAuditStreamSecret',
      'resendAuditEvents',
      'deleteAuditStream',
    ])
  })
})

describe('an operator', () => {
  test('gets events as syslog over TLS, each with its length, and again what was not taken', async () => {
    let text = ''
    const server = createTlsServer(
      { cert: certificate('server.pem'), key: certificate('server-key.pem') },
      (socket) => {
        socket.on('data', (part) => {
          text += part.toString('utf8')
        })
      },
    )
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    open.push(() => server.close())
    const { port } = server.address() as AddressInfo
    const syslog = { host: 'localhost', port, ca: undefined }
    await sealAuditEvents(portal.system.db)
    await keepOperatorsStreams(portal.system.db, ['syslog'], portal.now())
    await change('Astrid in syslog')
    await deliver({ syslog })
    expect(text).toBe('')
    portal.advance(3600)
    root = await portal.signedIn(await portal.person({ superUser: true }))
    await deliver({ syslog: { ...syslog, ca: certificate('ca.pem') } })
    const messages: string[] = []
    for (let rest = Buffer.from(text); rest.length > 0; ) {
      const [digits = ''] = rest.toString('latin1').split(' ', 1)
      const start = digits.length + 1
      messages.push(rest.subarray(start, start + Number(digits)).toString('utf8'))
      rest = rest.subarray(start + Number(digits))
    }
    expect(messages[0]).toMatch(
      /^<110>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ vestibule - createService - \{"type":"audit\.createService",.*\}$/,
    )
    expect(messages.at(-1)).toContain('loginSuccess')
    expect(text).not.toContain('Astrid')
    await keepOperatorsStreams(portal.system.db, [], portal.now())
  })

  test('gets events as lines of JSON on standard output', async () => {
    const lines: string[] = []
    const writeLine = (line: string) => void lines.push(line)
    await sealAuditEvents(portal.system.db)
    await keepOperatorsStreams(portal.system.db, ['stdout'], portal.now())
    await change('To standard output')
    await deliver({ writeLine })
    await deliver({ writeLine })
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(['audit.createService'])
    await keepOperatorsStreams(portal.system.db, [], portal.now())
  })
})

describe('an endpoint of a super user who is one no more', () => {
  test('gets no event and no head until a super user makes a new secret, and then all that waited', async () => {
    const { url, received, names } = await receiver()
    const maker = await portal.person({ superUser: true, email: 'maker@streams.example' })
    const { streamId } = (await (await portal.signedIn(maker)).post('/api/audit-streams', { url })).json()
    await deliver()
    const before = received.length
    expect(await stateOf(streamId)).toMatchObject({ madeBy: 'maker@streams.example', stands: true })
    await portal.system.db
      .updateTable('users')
      .set({ superUser: false })
      .where('accountId', '=', maker.accountId)
      .execute()
    await root.post('/api/audit-streams', { url: 'https://elsewhere.example/hook' })
    await deliver()
    await createAuditHeadsJob(portal.system).run()
    expect(received).toHaveLength(before)
    expect(await stateOf(streamId)).toMatchObject({ stands: false, stopped: null })
    await root.post(`/api/audit-streams/${streamId}/secret`)
    await deliver()
    expect(names().slice(before)).toEqual(['audit.createAuditStream', 'audit.renewAuditStreamSecret'])
    const { email } = (await root.get('/api/me')).json()
    expect(await stateOf(streamId)).toMatchObject({ madeBy: email, stands: true, waiting: 0 })
  })

  test('gets none when the account is gone either', async () => {
    const { url, received } = await receiver()
    const maker = await portal.person({ superUser: true })
    const { streamId } = (await (await portal.signedIn(maker)).post('/api/audit-streams', { url })).json()
    await deliver()
    const before = received.length
    expect((await root.delete(`/api/users/${maker.accountId}`)).statusCode).toBe(204)
    await deliver()
    expect(received).toHaveLength(before)
    expect(await stateOf(streamId)).toMatchObject({ madeBy: null, stands: false })
  })
})
