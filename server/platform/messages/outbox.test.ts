import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import { openDatabase } from '../database/database.ts'
import { queues } from '../database/queues.ts'
import { startBackground } from '../jobs/background.ts'
import { type Keys, openKeys } from '../secrets/keys.ts'
import { deriveMasterKey } from '../secrets/master-key.ts'
import { type DeliveryOptions, deliverMessage, giveUpMessage, maxAttemptMs } from './deliver-message.ts'
import { createFolderOutbox, type FolderOutbox } from './folder-outbox.ts'
import { MailFailure, type MailToSend } from './mailer.ts'
import { createOutbox, type Outbox } from './outbox.ts'

let database: ConnectedDatabase
let keys: Keys
let outbox: Outbox
let folder: string
let sent: FolderOutbox
let now: Date
/** What the mail server answers next instead of taking the mail. */
let failures: Error[]
const arrivals = new EventEmitter()
const logged: unknown[] = []
const log = { warn: (...line: unknown[]) => logged.push(line), error: (...line: unknown[]) => logged.push(line) }
const options = (): DeliveryOptions => ({
  db: database.db,
  keys,
  clock: () => now,
  log: log as unknown as DeliveryOptions['log'],
  mailer: {
    async send(mail) {
      const failure = failures.shift()
      if (failure) throw failure
      await sent.mailer.send(mail)
      arrivals.emit('mail', mail)
    },
    close: async () => {},
  },
  sms: sent.sms,
  render: {
    async mail({ template, language, values }) {
      if (template === 'no-such-template') throw new Error('unknown template')
      return { subject: `${template} ${language}`, text: `${values.code}`, html: `<p>${values.code}</p>` }
    },
    sms: async ({ values }) => `${values.code}`,
  },
})
const message = (more: object = {}) => ({
  template: 'login-code',
  to: { address: 'user@nordvik.example' },
  language: 'sv' as const,
  values: { code: '482913' },
  ...more,
})
const rowOf = (id: string) =>
  database.db.selectFrom('outboxMessages').selectAll().where('id', '=', id).executeTakeFirst()
const jobsFor = async (id: string) =>
  (await database.pool.query(`select name, data from pgboss.job where data->>'id' = $1`, [id])).rows

beforeAll(async () => {
  database = await connectTestDatabase()
  const masterKey = deriveMasterKey('a master key for tests, long enough to be one')
  keys = await openKeys({ db: database.db, masterKey, clock: () => now })
  outbox = createOutbox({ keys, clock: () => now })
})
beforeEach(async () => {
  now = new Date('2026-11-21T08:00:00Z')
  failures = []
  logged.length = 0
  folder = await mkdtemp(join(tmpdir(), 'vestibule-outbox-'))
  sent = createFolderOutbox(folder, () => now)
})
afterEach(() => rm(folder, { recursive: true, force: true }))
afterAll(async () => {
  keys.close()
  await database.close()
})

test('a message of a transaction that is rolled back never existed, and neither does its job', async () => {
  const rollBack = new Error('roll back')
  let id = ''
  const undone = database.db.transaction().execute(async (db) => {
    id = await outbox.mail(db, message())
    throw rollBack
  })
  await expect(undone).rejects.toBe(rollBack)
  expect(await rowOf(id)).toBeUndefined()
  expect(await jobsFor(id)).toEqual([])
})

test('the first messages of a process hold no connection while they wait for another one', async () => {
  const small = openDatabase({ url: database.appUrl, size: 2 })
  const fresh = createOutbox({ keys, clock: () => now })
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const queued = begun.map(({ resolve }) =>
    small.db.transaction().execute(async (db) => {
      resolve()
      await Promise.all(begun.map(({ promise }) => promise))
      return fresh.mail(db, message())
    }),
  )
  const ids = await Promise.all(queued).finally(() => small.close())
  for (const id of ids) expect(await jobsFor(id)).toEqual([{ name: 'mail', data: { id } }])
})

test('a queued message shows its values neither in its row nor in its job', async () => {
  const id = await outbox.mail(database.db, message())
  const row = await rowOf(id)
  expect(row).toMatchObject({ kind: 'mail', state: 'queued', recipient: 'user@nordvik.example' })
  expect(row?.sealed.includes('482913')).toBe(false)
  expect(await jobsFor(id)).toEqual([{ name: 'mail', data: { id } }])
})

test.each([
  ['mail', 'a@nordvik.example, b@nordvik.example'],
  ['mail', 'a@nordvik.example\r\nBcc: b@nordvik.example'],
  ['mail', 'nobody'],
  ['sms', '0701740605'],
  ['sms', '+46701740605,+46701740606'],
] as const)('a %s to %j is not queued: it is no single address', async (kind, address) => {
  await expect(outbox[kind](database.db, message({ to: { address } }))).rejects.toThrow('exactly one recipient')
})

test('a delivered message is sent once, however often its job comes, and its values are gone', async () => {
  const id = await outbox.mail(database.db, message())
  for (let time = 0; time < 3; time++) await deliverMessage(options(), id)
  expect(await sent.list()).toEqual([
    {
      id,
      kind: 'mail',
      to: 'user@nordvik.example',
      subject: 'login-code sv',
      text: '482913',
      html: '<p>482913</p>',
      at: now.toISOString(),
    },
  ])
  expect(await rowOf(id)).toMatchObject({ state: 'sent', attempts: 1, finishedAt: now, sealed: Buffer.alloc(0) })
  expect((await stat(join(folder, `${id}.json`))).mode & 0o777).toBe(0o600)
})

test('a mail that left while the database was away is noted when it is back, and does not leave twice', async () => {
  const id = await outbox.mail(database.db, message())
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  const { promise: back, resolve } = Promise.withResolvers<void>()
  const told = {
    warn: () => void owner.query('alter table gone rename to outbox_messages').then(() => resolve(), resolve),
    error: () => {},
  }
  const away = {
    async send(mail: MailToSend) {
      await sent.mailer.send(mail)
      await owner.query('alter table outbox_messages rename to gone')
    },
    close: async () => {},
  }
  await deliverMessage({ ...options(), mailer: away, log: told as unknown as DeliveryOptions['log'] }, id)
  await back
  expect(await rowOf(id)).toMatchObject({ state: 'sent', attempts: 1, reason: null })
  await owner.end()
})

test('a message that is too late to be useful is dropped', async () => {
  const id = await outbox.sms(
    database.db,
    message({ to: { address: '+46701740605' }, uselessAfter: new Date(now.getTime() + 600_000) }),
  )
  now = new Date(now.getTime() + 600_000)
  await deliverMessage(options(), id)
  expect(await rowOf(id)).toMatchObject({ state: 'dropped', reason: null, sealed: Buffer.alloc(0) })
  expect(await sent.list()).toEqual([])
})

test('a message that became too late while the mail server was down keeps what the server said', async () => {
  failures = [new MailFailure('SMTP CONN 421 busy', { retry: true })]
  const id = await outbox.mail(database.db, message({ uselessAfter: new Date(now.getTime() + 600_000) }))
  await expect(deliverMessage(options(), id)).rejects.toThrow('421 busy')
  now = new Date(now.getTime() + 600_000)
  await deliverMessage(options(), id)
  expect(await rowOf(id)).toMatchObject({ state: 'dropped', reason: 'SMTP CONN 421 busy' })
})

test('while the mail server is down a message stays queued, and leaves when it is back', async () => {
  failures = [new MailFailure('SMTP CONN ECONNREFUSED', { retry: true }), new Error('something else')]
  const id = await outbox.mail(database.db, message())
  await expect(deliverMessage(options(), id)).rejects.toThrow(`mail ${id}: SMTP CONN ECONNREFUSED`)
  expect(await rowOf(id)).toMatchObject({ state: 'queued', attempts: 1, reason: 'SMTP CONN ECONNREFUSED' })
  await expect(deliverMessage(options(), id)).rejects.toThrow('something else')
  await deliverMessage(options(), id)
  expect(await rowOf(id)).toMatchObject({ state: 'sent', attempts: 3, reason: null })
  expect(JSON.stringify(logged)).not.toMatch(/482913|user@nordvik/)
})

test('a code that the mail server keeps waiting until it has expired does not leave late', async () => {
  const id = await outbox.mail(database.db, message({ uselessAfter: new Date(now.getTime() + 30) }))
  const patient = {
    send: ({ signal }: MailToSend) =>
      new Promise<void>((_, reject) => {
        signal?.addEventListener('abort', () => reject(new MailFailure('SMTP ETIMEDOUT', { retry: true })))
      }),
    close: async () => {},
  }
  await expect(deliverMessage({ ...options(), mailer: patient }, id)).rejects.toThrow('ETIMEDOUT')
  now = new Date(now.getTime() + 30)
  await deliverMessage(options(), id)
  expect(await rowOf(id)).toMatchObject({ state: 'dropped', reason: 'SMTP ETIMEDOUT' })
  expect(await sent.list()).toEqual([])
})

test('a try is over before the queue would begin another one', () => {
  for (const { name, expireInSeconds } of queues.filter(
    ({ deadLetter }) => deadLetter === 'mail-dead' || deadLetter === 'sms-dead',
  ))
    expect([name, maxAttemptMs]).toEqual([name, expect.toSatisfy((most: number) => most < expireInSeconds * 1000)])
})

test('a permanent error fails immediately with its reason, and an operator can resend', async () => {
  failures = [new MailFailure('SMTP RCPT TO 550', { retry: false })]
  const id = await outbox.mail(database.db, message())
  await deliverMessage(options(), id)
  expect(await rowOf(id)).toMatchObject({ state: 'failed', reason: 'SMTP RCPT TO 550' })
  expect(await outbox.resend(database.db, id)).toBe(true)
  expect(await outbox.resend(database.db, id)).toBe(false)
  expect(await jobsFor(id)).toHaveLength(2)
  await deliverMessage(options(), id)
  expect(await rowOf(id)).toMatchObject({ state: 'sent' })
  expect(await outbox.resend(database.db, id)).toBe(false)
})

test('a failed message that has expired is dropped, also when an operator resends it', async () => {
  failures = [new MailFailure('SMTP RCPT TO 550', { retry: false })]
  const id = await outbox.mail(database.db, message({ uselessAfter: new Date(now.getTime() + 600_000) }))
  await deliverMessage(options(), id)
  now = new Date(now.getTime() + 600_000)
  expect(await outbox.resend(database.db, id)).toBe(true)
  await deliverMessage(options(), id)
  expect(await rowOf(id)).toMatchObject({ state: 'dropped', sealed: Buffer.alloc(0) })
  expect(await sent.list()).toEqual([])
})

test('after the last try a message is given up and waits for an operator', async () => {
  failures = [new MailFailure('SMTP CONN ECONNREFUSED', { retry: true })]
  const id = await outbox.mail(database.db, message())
  await expect(deliverMessage(options(), id)).rejects.toThrow()
  await giveUpMessage(options(), id)
  expect(await rowOf(id)).toMatchObject({ state: 'failed', reason: 'SMTP CONN ECONNREFUSED' })
})

test('a recipient or values that were changed in the table get nothing sent', async () => {
  const [redirected, swapped, other] = [
    await outbox.mail(database.db, message()),
    await outbox.mail(database.db, message()),
    await outbox.mail(database.db, message()),
  ]
  await database.db
    .updateTable('outboxMessages')
    .set({ recipient: 'thief@evil.example' })
    .where('id', '=', redirected)
    .execute()
  await database.db
    .updateTable('outboxMessages')
    .set({ sealed: (await rowOf(other))?.sealed as Buffer })
    .where('id', '=', swapped)
    .execute()
  for (const id of [redirected, swapped]) await deliverMessage(options(), id)
  expect(await sent.list()).toEqual([])
  expect(await rowOf(redirected)).toMatchObject({ state: 'failed', reason: 'its recipient was changed' })
  expect(await rowOf(swapped)).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('cannot be decrypted'),
  })
})

test('a template that cannot be written fails without a retry', async () => {
  const id = await outbox.mail(database.db, message({ template: 'no-such-template' }))
  await deliverMessage(options(), id)
  expect(await rowOf(id)).toMatchObject({ state: 'failed' })
})

test('the worker is woken by the commit, delivers what waited, and recurring jobs are scheduled', async () => {
  await database.pool.query('delete from pgboss.job')
  const waited = await outbox.mail(database.db, message())
  const first = once(arrivals, 'mail')
  const background = await startBackground({
    url: database.appUrl,
    delivery: options(),
    jobs: [{ name: 'tidy', cron: '17 * * * *', run: async () => {} }],
    log: options().log,
  })
  expect((await first)[0]).toMatchObject({ id: waited })
  const from = performance.now()
  let id = ''
  for (let each = 0; each < 5; each++) {
    const committed = once(arrivals, 'mail')
    id = await outbox.mail(database.db, message())
    expect((await committed)[0]).toMatchObject({ id })
  }
  // Without the wake-up each would wait for the next look, every two seconds.
  expect(performance.now() - from).toBeLessThan(6000)
  const { rows } = await database.pool.query('select key, cron from pgboss.schedule')
  expect(rows).toEqual([{ key: 'tidy', cron: '17 * * * *' }])
  await background.stop()
  expect(await rowOf(id)).toMatchObject({ state: 'sent' })
})

test('a mail that the server refused for now is looked for within seconds of the time of its next try', async () => {
  failures = [new MailFailure('SMTP RCPT TO 451', { retry: true })]
  const background = await startBackground({
    url: database.appUrl,
    delivery: options(),
    jobs: [],
    log: options().log,
  })
  // Start listening now: the retry runs automatically within ten seconds.
  const arrived = once(arrivals, 'mail')
  const id = await outbox.mail(database.db, message())
  const stateOf = async () =>
    (await database.pool.query(`select state from pgboss.job where data->>'id' = $1`, [id])).rows[0].state
  await expect.poll(stateOf).toBe('retry')
  await database.pool.query(`update pgboss.job set start_after = now() where data->>'id' = $1`, [id])
  const from = performance.now()
  expect((await arrived)[0]).toMatchObject({ id })
  expect(performance.now() - from).toBeLessThan(15_000)
  await background.stop()
})

test('a mail that the server keeps waiting holds up no other', async () => {
  const begun = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const { mailer, ...rest } = options()
  const send = async (mail: MailToSend) => {
    if (mail.to.startsWith('slow@')) {
      begun.resolve()
      await answered.promise
    }
    await mailer.send(mail)
  }
  const delivery = { ...rest, mailer: { ...mailer, send } }
  const background = await startBackground({ url: database.appUrl, delivery, jobs: [], log: rest.log })
  const slow = await outbox.mail(database.db, message({ to: { address: 'slow@nordvik.example' } }))
  await begun.promise
  const arrived = once(arrivals, 'mail')
  const id = await outbox.mail(database.db, message())
  expect((await arrived)[0]).toMatchObject({ id })
  expect(await rowOf(slow)).toMatchObject({ state: 'queued' })
  const last = once(arrivals, 'mail')
  answered.resolve()
  await last
  await background.stop()
  expect(await rowOf(slow)).toMatchObject({ state: 'sent' })
})
