import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { text } from '#contract/fields/fields.ts'
import { type Routes, route } from '#contract/route.ts'
import { readConfig } from '#server/config.ts'
import { createSystem } from '#server/create-system.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { newId } from '../ids.ts'
import { createLog } from '../log.ts'
import { deriveMasterKey } from '../secrets/master-key.ts'
import type { Session, System } from '../system.ts'
import { createHttpServer } from './http-server.ts'
import type { Handlers, RequestContext } from './request-context.ts'
import { serveRoutes } from './serve-routes.ts'

const organizationId = newId()
const named = z.strictObject({ name: text(40) })
const answer = z.object({ name: z.string() })

/** Calls that exist for these tests alone, on a table of their own. */
const notes = {
  write: route('POST /api/notes', {
    summary: '',
    access: 'signedIn',
    input: named,
    answer,
    status: 201,
    audit: 'createService',
  }),
  forgetEvent: route('POST /api/notes/forget-event', {
    summary: '',
    access: 'signedIn',
    input: named,
    answer,
    audit: 'createService',
  }),
  wrongEvent: route('POST /api/notes/wrong-event', {
    summary: '',
    access: 'signedIn',
    input: named,
    answer,
    audit: 'createService',
  }),
  twoEvents: route('POST /api/notes/two-events', {
    summary: '',
    access: 'signedIn',
    input: named,
    answer,
    audit: 'createService',
  }),
  wrongAnswer: route('POST /api/notes/wrong-answer', {
    summary: '',
    access: 'signedIn',
    input: named,
    answer,
    audit: 'createService',
  }),
  neverAsks: route('POST /api/notes/never-asks', {
    summary: '',
    access: 'manageSettings',
    target: 'loaded',
    input: named,
    answer,
    audit: 'createService',
  }),
  asksLate: route('POST /api/notes/asks-late', {
    summary: '',
    access: 'manageSettings',
    target: 'loaded',
    input: named,
    answer: 'nothing',
    audit: 'createService',
    atomic: false,
  }),
  ownForgets: route('POST /api/notes/own-forgets', {
    summary: '',
    access: 'signedIn',
    input: named,
    answer: 'nothing',
    audit: 'createService',
    atomic: false,
  }),
  ownWrites: route('POST /api/notes/own-writes', {
    summary: '',
    access: 'signedIn',
    input: named,
    answer: 'nothing',
    audit: 'createService',
    atomic: false,
  }),
  readNeverAsks: route('GET /api/notes/never-asks', {
    summary: '',
    access: 'manageSettings',
    target: 'loaded',
    answer,
  }),
  reachable: route('POST /api/notes/in/{organizationId}', {
    summary: '',
    access: 'manageSettings',
    params: z.strictObject({ organizationId: text() }),
    target: ({ params }) => params,
    input: named,
    answer: 'nothing',
    audit: 'none',
  }),
  tooMuch: route('GET /api/notes/too-much', {
    summary: '',
    access: 'public',
    answer: z.object({ name: z.string(), inside: z.array(answer) }),
  }),
  query: route('GET /api/notes', {
    summary: '',
    access: 'public',
    query: z.strictObject({ q: z.optional(text(10)) }),
    answer,
  }),
  noInput: route('POST /api/notes/no-input', { summary: '', access: 'public', answer: 'nothing', audit: 'none' }),
  fails: route('POST /api/notes/fails', { summary: '', access: 'public', answer: 'nothing', audit: 'none' }),
  superOnly: route('GET /api/notes/super', { summary: '', access: 'manageServices', answer }),
} satisfies Routes

const event = { name: 'createService' as const }
/** What `fails` does, set by each test. */
let work: (context: RequestContext) => Promise<unknown>

const insert = ({ db }: Pick<RequestContext, 'db'>, name: string) =>
  sql`insert into notes (name) values (${name})`.execute(db)

const handlers = {
  write: async (context) => {
    await insert(context, context.input.name)
    context.audit({ ...event, after: context.input })
    return context.input
  },
  forgetEvent: async (context) => {
    await insert(context, context.input.name)
    return context.input
  },
  wrongEvent: async (context) => {
    await insert(context, context.input.name)
    context.audit({ name: 'deleteService' })
    return context.input
  },
  twoEvents: async (context) => {
    await insert(context, context.input.name)
    context.audit(event)
    context.audit(event)
    return context.input
  },
  wrongAnswer: async (context) => {
    await insert(context, context.input.name)
    context.audit(event)
    return { title: context.input.name } as never
  },
  neverAsks: async (context) => {
    await insert(context, context.input.name)
    context.audit(event)
    return context.input
  },
  asksLate: async (context) => {
    await context.transact(async (db, audit) => {
      await insert({ db }, context.input.name)
      audit(event)
    })
    context.allow('manageSettings', { organizationId })
    return undefined
  },
  ownForgets: async (context) => {
    await context.transact((db) => insert({ db }, context.input.name))
    return undefined
  },
  ownWrites: async (context) => {
    await context.transact(async (db, audit) => {
      await insert({ db }, context.input.name)
      audit(event)
    })
    return undefined
  },
  readNeverAsks: async () => ({ name: 'a secret' }),
  reachable: async () => undefined,
  tooMuch: async () => ({ name: 'seen', secret: 'unseen', inside: [{ name: 'seen', password: 'unseen' }] }),
  query: async ({ query }) => ({ name: query.q ?? '' }),
  noInput: async () => undefined,
  fails: async (context) => work(context as unknown as RequestContext) as Promise<undefined>,
  superOnly: async () => ({ name: 'for super users' }),
} satisfies Handlers<typeof notes>

const person = (more: Partial<Session['actor']> = {}): Session => {
  const accountId = newId()
  const actor = { accountId, superUser: false, organizations: [], services: [], ...more }
  return {
    key: accountId,
    uid: accountId,
    actor,
    label: `${accountId}@test.example`,
    // serveRoutes passes the user row on without reading it.
    user: {} as Session['user'],
    expiresAt: new Date(),
    proofs: {},
    heldBack: { organizations: [], services: [] },
    amr: ['pwd'],
  }
}
const people: Record<string, Session> = {
  user: person(),
  admin: person({ organizations: [{ organizationId, userRole: 'organizationAdmin' }] }),
  super: person({ superUser: true }),
}

let database: TestDatabase
let owner: pg.Client
let system: System
let app: FastifyInstance
const logged: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  const { role } = (await owner.query(`select obj_description(to_regclass('migrations'), 'pg_class') as role`)).rows[0]
  await owner.query(`create table notes (
    name text unique constraint user_email_unique check (name <> 'taken'), seats integer constraint seats check (seats < 1),
    parent text references notes (name) deferrable initially deferred);
    grant all on notes to ${String(role).split(' ')[1]}`)
  const config = readConfig({ BASE_URL: 'http://portal.test', DEMO: 'off' })
  const log = createLog('debug', { write: (line: string) => void logged.push(line) })
  const masterKey = deriveMasterKey('the master key of this test, which is no secret')
  system = await createSystem({ config, database, masterKey, log })
  app = await openApp(system)
})
afterAll(async () => {
  await app?.close()
  await system?.close()
  await owner?.end()
  await database?.drop()
})
beforeEach(async () => {
  logged.length = 0
  await owner.query('delete from notes')
})

async function openApp(served: System): Promise<FastifyInstance> {
  const opened = await createHttpServer({
    config: served.config,
    logger: served.log,
    renderProblemPage: (_, status, key) => `<p>${status} ${key}</p>`,
  })
  const readSession = async (request: { headers: Record<string, unknown> }) => people[String(request.headers.who)]
  serveRoutes(opened, {
    system: served,
    readSession,
    readMachine: async () => undefined,
    readDirectory: async () => undefined,
    hasFreshProof: async () => true,
    routes: notes,
    handlers: handlers as Handlers<typeof notes>,
  })
  await opened.ready()
  return opened
}

const call = (method: 'GET' | 'POST', url: string, body?: unknown, headers: Record<string, string> = {}, on = app) =>
  on.inject({
    method,
    url,
    headers: {
      host: 'portal.test',
      'sec-fetch-site': 'same-origin',
      who: 'super',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
const post = (url: string, body?: unknown, headers?: Record<string, string>) => call('POST', url, body, headers)
const failing = (then: typeof work) => {
  work = then
  return post('/api/notes/fails')
}
const inDatabase = async () => (await owner.query('select name from notes')).rows.map(({ name }) => name)
const eventCount = async () => Number((await owner.query('select count(*) from audit_events')).rows[0].count)

/** A problem in the usual format, without details of the cause. */
function expectProblem(response: LightMyRequestResponse, status: number, message: string): void {
  expect(response.statusCode).toBe(status)
  const body = response.json()
  expect(body).toMatchObject({ message, requestId: response.headers['x-request-id'] })
  expect(Object.keys(body).filter((key) => !['message', 'issues', 'requestId'].includes(key))).toEqual([])
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(response.headers['cache-control']).toBe('no-store')
  expect(response.headers['content-security-policy']).toContain("default-src 'none'")
}

test('a change and its event are written together', async () => {
  const before = await eventCount()
  const response = await post('/api/notes', { name: 'Journal' })
  expect([response.statusCode, response.json()]).toEqual([201, { name: 'Journal' }])
  expect(await inDatabase()).toEqual(['Journal'])
  expect(await eventCount()).toBe(before + 1)
  const { rows } = await owner.query(
    'select name, actor, actor_id, request_id, changes from audit_events order by id desc limit 1',
  )
  expect(rows[0]).toEqual({
    name: 'createService',
    actor: people.super?.label,
    actor_id: people.super?.actor.accountId,
    request_id: response.headers['x-request-id'],
    changes: [{ property: 'name', previousValue: null, newValue: 'Journal' }],
  })
})

describe('a handler that violates its declaration changes nothing and returns 500', () => {
  test.each([
    ['leaves no event', 'forget-event'],
    ['leaves another event', 'wrong-event'],
    ['leaves two events', 'two-events'],
    ['answers with something else', 'wrong-answer'],
    ['never asks for its permission', 'never-asks'],
    ['asks only after its own transaction', 'asks-late'],
    ['leaves no event in its own transaction', 'own-forgets'],
  ])('one that %s', async (_, path) => {
    const before = await eventCount()
    expectProblem(await post(`/api/notes/${path}`, { name: 'x' }), 500, 'genericErrorMessage')
    expect(await inDatabase()).toEqual([])
    expect(await eventCount()).toBe(before)
  })

  test('one that reads and never asks tells nothing', async () => {
    const response = await call('GET', '/api/notes/never-asks')
    expectProblem(response, 500, 'genericErrorMessage')
    expect(response.body).not.toContain('secret')
  })

  test('one that opens a transaction inside its transaction', async () => {
    expectProblem(await failing(({ transact }) => transact((db) => insert({ db }, 'x'))), 500, 'genericErrorMessage')
    expect(await inDatabase()).toEqual([])
  })

  test('one that sets a cookie before it breaks sets none', async () => {
    const response = await failing(async ({ http }) => {
      http.reply.setCookie('half', 'done')
      throw new Error('broken')
    })
    expectProblem(response, 500, 'genericErrorMessage')
    expect(response.headers['set-cookie']).toBeUndefined()
  })
})

test('a use case with its own transaction writes its event in it', async () => {
  const before = await eventCount()
  expect((await post('/api/notes/own-writes', { name: 'x' })).statusCode).toBe(204)
  expect(await inDatabase()).toEqual(['x'])
  expect(await eventCount()).toBe(before + 1)
})

describe('who may', () => {
  test('a request without a session gets 401 before it is validated', async () => {
    expectProblem(await post('/api/notes', { wrong: 1 }, { who: 'nobody' }), 401, 'signInRequired')
  })

  test('a role that never may gets 403, whatever it sends', async () => {
    expectProblem(await call('GET', '/api/notes/super', undefined, { who: 'user' }), 403, 'forbidden')
    expectProblem(await post(`/api/notes/in/${organizationId}`, { wrong: 1 }, { who: 'user' }), 403, 'forbidden')
  })

  test('an admin elsewhere gets the answer of a missing organisation', async () => {
    const of = async (id: string) => (await post(`/api/notes/in/${id}`, { name: 'x' }, { who: 'admin' })).json()
    const [foreign, missing] = [await of(newId()), await of('nothing-of-the-kind')]
    expect({ ...foreign, requestId: '' }).toEqual({ ...missing, requestId: '' })
    expect((await post(`/api/notes/in/${organizationId}`, { name: 'x' }, { who: 'admin' })).statusCode).toBe(204)
  })
})

describe('what comes in', () => {
  test('is named field by field where it is wrong', async () => {
    const response = await post('/api/notes', { name: 7, extra: 1, more: { a: 1 } })
    expectProblem(response, 422, 'validationFailed')
    expect(response.json().issues).toEqual([
      { path: 'name', message: 'invalidText' },
      { path: 'extra', message: 'unknownField' },
      { path: 'more', message: 'unknownField' },
    ])
  })

  test.each([
    ['a missing field', '{}', 'required'],
    ['no body at all', '', 'required'],
    ['null', 'null', 'required'],
    ['a NUL', '{"name":"a\\u0000b"}', 'invalidText'],
    ['a lone surrogate', '{"name":"\\ud800"}', 'invalidText'],
    ['a text that is too long', JSON.stringify({ name: 'x'.repeat(41) }), 'tooLong'],
    ['a list for a text', '{"name":["a"]}', 'invalidText'],
  ])('%s is 422 with the field', async (_, body, message) => {
    const response = await post('/api/notes', body)
    expectProblem(response, 422, 'validationFailed')
    expect(response.json().issues).toEqual([{ path: 'name', message }])
    expect(await inDatabase()).toEqual([])
  })

  test.each([
    ['a list instead of an object', '[]'],
    ['a number instead of an object', '7'],
    ['a text instead of an object', '"name"'],
    ['lists in lists in lists', '['.repeat(30) + ']'.repeat(30)],
  ])('%s is 422', async (_, body) => {
    expectProblem(await post('/api/notes', body), 422, 'validationFailed')
  })

  test.each([
    ['half a body', '{"name":'],
    ['a word', 'hello'],
    ['deeper than any call', '['.repeat(30_000) + ']'.repeat(30_000)],
    [
      'of thousands of fields',
      JSON.stringify(Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`f${at}`, 1]))),
    ],
    ['the name of the prototype', '{"name":"a","__proto__":{"superUser":true}}'],
    ['the prototype of the constructor', '{"name":"a","constructor":{"prototype":{"superUser":true}}}'],
  ])('%s is 400', async (_, body) => {
    expectProblem(await post('/api/notes', body), 400, 'malformedRequest')
    expect(({} as { superUser?: boolean }).superUser).toBeUndefined()
  })

  test('bytes that are no UTF-8 are 400, not something similar', async () => {
    const payload = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])
    const headers = {
      host: 'portal.test',
      'sec-fetch-site': 'same-origin',
      who: 'super',
      'content-type': 'application/json',
    }
    expectProblem(await app.inject({ method: 'POST', url: '/api/notes', headers, payload }), 400, 'malformedRequest')
  })

  test('a form of a thousand unknown fields is not answered at length', async () => {
    const body = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, 1]))
    expect((await post('/api/notes', body)).json().issues.length).toBe(50)
  })

  test('a body where none is taken is refused, an empty object is not', async () => {
    expectProblem(await post('/api/notes/no-input', { admin: true }), 422, 'validationFailed')
    expect((await post('/api/notes/no-input', {})).statusCode).toBe(204)
    expect((await post('/api/notes/no-input', '')).statusCode).toBe(204)
    expect((await post('/api/notes/no-input')).statusCode).toBe(204)
  })

  test.each([
    ['?unknown=1', 'unknown', 'unknownField'],
    ['?q=a&q=b', 'q', 'invalidText'],
    ['?q=%00', 'q', 'invalidText'],
    ['?q=12345678901', 'q', 'tooLong'],
    ['?__proto__=1', '__proto__', 'unknownField'],
    ['?constructor=1', 'constructor', 'unknownField'],
  ])('the query %s is 422', async (query, path, message) => {
    const response = await call('GET', `/api/notes${query}`)
    expectProblem(response, 422, 'validationFailed')
    expect(response.json().issues).toEqual([{ path, message }])
  })

  test('a query where none is taken is refused by name', async () => {
    const response = await call('GET', '/api/notes/super?as=admin')
    expect(response.json().issues).toEqual([{ path: 'as', message: 'unknownField' }])
  })
})

test('a field that the answer does not name never leaves', async () => {
  const response = await call('GET', '/api/notes/too-much')
  expect(response.json()).toEqual({ name: 'seen', inside: [{ name: 'seen' }] })
})

describe('what the database refuses', () => {
  test('a known constraint is a conflict in its own words', async () => {
    expectProblem(await post('/api/notes', { name: 'taken' }), 409, 'emailTaken')
  })

  test('another unique constraint is a conflict', async () => {
    expect((await post('/api/notes', { name: 'Journal' })).statusCode).toBe(201)
    expectProblem(await post('/api/notes', { name: 'Journal' }), 409, 'conflict')
  })

  test('a check that only fails at the commit rolls back', async () => {
    const response = await failing(({ db }) =>
      sql`insert into notes (name, parent) values ('child', 'nobody')`.execute(db),
    )
    expect(response.statusCode).toBeGreaterThanOrEqual(409)
    expect(response.statusCode).toBeLessThan(500)
    expect(await inDatabase()).toEqual([])
  })

  test('a statement that is wrong is a 500 that says nothing of it, and is logged whole', async () => {
    const response = await failing(({ db }) => sql`select secret_column from notes`.execute(db))
    expectProblem(response, 500, 'genericErrorMessage')
    expect(response.body).not.toMatch(/secret_column|select|notes|at |\.ts/)
    const line = logged.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'request failed')
    expect(line).toMatchObject({ level: 'error', route: '/api/notes/fails', err: { errorCode: '42703' } })
    expect(line.err.stack).toContain('run-use-case')
  })

  test('a statement that takes too long is 503 with Retry-After', async () => {
    const { rows } = await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(
      system.db,
    )
    expect(rows).toEqual([{ limit: '5s' }])
    const response = await failing(({ db }) => sql`set local statement_timeout = 20; select pg_sleep(5)`.execute(db))
    expectProblem(response, 503, 'temporarilyUnavailable')
    expect(response.headers['retry-after']).toBe('5')
  })
})

describe('a deadlock', () => {
  const as = (code: string) => Object.assign(new pg.DatabaseError('deadlock detected', 0, 'error'), { code })

  test('between two calls is retried: both succeed', async () => {
    await owner.query(`insert into notes (name, seats) values ('a', 0), ('b', 0)`)
    let arrived = 0
    let open = () => {}
    const bothArrived = new Promise<void>((resolve) => {
      open = resolve
    })
    let turn = 0
    const both = async ({ db }: RequestContext) => {
      const [first, second] = ++turn % 2 === 0 ? ['a', 'b'] : ['b', 'a']
      await sql`select from notes where name = ${first} for update`.execute(db)
      if (++arrived === 2) open()
      await bothArrived
      await sql`select from notes where name = ${second} for update`.execute(db)
    }
    work = both
    const answers = await Promise.all([post('/api/notes/fails'), post('/api/notes/fails')])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204])
    // Two, and at least one again.
    expect(arrived).toBeGreaterThanOrEqual(3)
  })

  test('is tried three times, each on a fresh transaction, and then 503', async () => {
    let runs = 0
    const response = await failing(async ({ db }) => {
      runs++
      await insert({ db }, 'x')
      throw as('40P01')
    })
    expectProblem(response, 503, 'temporarilyUnavailable')
    expect(runs).toBe(3)
    expect(await inDatabase()).toEqual([])
  })
})

describe('without a database', () => {
  test.each([
    ['that refuses the connection', 'postgres://nobody@127.0.0.1:1/none'],
    ['whose name has two addresses', 'postgres://nobody@localhost:1/none'],
    ['whose name cannot be resolved', 'postgres://nobody@no.such.host.invalid/none'],
  ])('%s every call that needs it returns 503 with Retry-After and no details', async (_, url) => {
    const { openDatabase } = await import('../database/database.ts')
    const nowhere = openDatabase({ url })
    const cutOff = await openApp({ ...system, ...nowhere })
    try {
      const response = await call('POST', '/api/notes', { name: 'x' }, {}, cutOff)
      expectProblem(response, 503, 'temporarilyUnavailable')
      expect(response.headers['retry-after']).toBe('5')
      expect(response.body).not.toMatch(/ECONN|127\.0|localhost|invalid/)
    } finally {
      await cutOff.close()
      await nowhere.close()
    }
  })
})
