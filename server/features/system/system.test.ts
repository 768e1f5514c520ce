import type { AddressInfo } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import pg from 'pg'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { jobNames, type SystemState } from '#contract/system/system.ts'
import { checkAuditChain } from '#server/platform/audit/audit-check.ts'
import { removeOldEvents } from '#server/platform/audit/retention.ts'
import { newId } from '#server/platform/ids.ts'
import { startHeartbeat } from '#server/platform/jobs/heartbeat.ts'
import { runJob } from '#server/platform/jobs/run-job.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const email = 'root@system.example'
async function open(env: Record<string, string> = {}) {
  const portal = await testApp(env)
  closing.push(() => portal.close())
  const root = await portal.signedIn(await portal.person({ email, superUser: true, preferredLanguage: 'en' }))
  const read = async (): Promise<SystemState> => (await root.get('/api/system')).json()
  return { portal, root, read }
}

async function mailServer(options: SMTPServerOptions = {}) {
  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, _session, callback) =>
      void readAll(stream).then((mail) => callback(null, String(received.push(mail)))),
    ...options,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise<void>((resolve) => server.close(resolve)))
  return { received, url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` }
}

const beat = ({ system }: TestApp, nodeId: string) =>
  startHeartbeat({ ...system, nodeId, log: { warn: (problem: unknown) => expect.fail(String(problem)) } })

test('a super user sees every node that serves the database, and which one is gone', async () => {
  const { portal, read } = await open()
  const other = newId()
  const [own, gone] = [beat(portal, portal.system.nodeId), beat(portal, other)]
  await expect.poll(async () => (await read()).nodes.map(({ alive, here }) => ({ alive, here }))).toHaveLength(2)
  expect((await read()).nodes.filter(({ alive }) => alive)).toHaveLength(2)
  expect((await read()).nodes.filter(({ here }) => here).map(({ nodeId }) => nodeId)).toEqual([portal.system.nodeId])
  // One that stops says so. The other one dies: nobody hears from it any more.
  await own.stop()
  portal.advance(101)
  expect((await read()).nodes.map(({ nodeId, alive }) => ({ nodeId, alive }))).toEqual([
    { nodeId: other, alive: false },
  ])
  await gone.stop()
  expect((await read()).nodes).toEqual([])
})

test('a super user sees the database, the queues and the jobs with their last result', async () => {
  const { portal, root, read } = await open()
  const before = (await read()).jobs
  expect(before.every(({ startedAt }) => startedAt === null)).toBe(true)
  expect(before.map(({ name }) => name).sort()).toEqual([...jobNames].sort())
  await runJob(portal.system, { name: 'forget-names', cron: '', run: async () => {} })
  const failing = { name: 'audit-verify', cron: '', run: () => Promise.reject(new Error('no')) }
  await expect(runJob(portal.system, failing)).rejects.toThrow('no')
  await root.post('/api/email-templates/user-invite/test', {})
  const { version, database, queues, jobs } = await read()
  expect(version).toBe(portal.system.version)
  expect(database).toMatchObject({ version: expect.stringMatching(/^1\d/), replicas: 0 })
  expect(database.bytes).toBeGreaterThan(1_000_000)
  expect(database.pool).toMatchObject({ waiting: 0, most: 10 })
  expect(queues.find(({ name }) => name === 'mail')).toMatchObject({ waiting: 1, failed: 0 })
  expect(queues.find(({ name }) => name === 'jobs')).toMatchObject({ waiting: 0, failed: 1 })
  const job = (wanted: string) => jobs.find(({ name }) => name === wanted)
  const now = portal.now().toISOString()
  expect(job('forget-names')).toMatchObject({ startedAt: now, finishedAt: now, failed: false })
  expect(job('audit-verify')).toMatchObject({ failed: true, nextRun: '2026-03-03T04:07:00.000Z' })
  expect(job('passive-users')).toMatchObject({ startedAt: null })
})

test('a super user sees when the audit log was verified and what was removed from it, by family', async () => {
  const { portal, read } = await open()
  const { db, keys, config, log } = portal.system
  expect((await read()).audit).toMatchObject({ lastCheck: null, lastRemoval: null })
  expect((await read()).audit.unsealed).toBeGreaterThan(0)
  await portal.seal()
  // The database refuses to remove what is young by its own clock.
  const now = new Date()
  await removeOldEvents({ db, keys, now, retention: config })
  await checkAuditChain({ db, keys, now, log })
  const { audit } = await read()
  expect(audit).toMatchObject({ unsealed: 0, unsealedSeconds: 0 })
  expect(audit.lastCheck).toEqual({ at: now.toISOString(), seq: audit.head, fault: null })
  expect(audit.wholeCheckAt).toBe(now.toISOString())
  const monthsAgo = (months: number) => {
    const date = new Date(now)
    date.setUTCMonth(date.getUTCMonth() - months)
    return date.toISOString()
  }
  expect(audit.lastRemoval).toEqual({
    at: now.toISOString(),
    removed: expect.any(Number),
    changesBefore: monthsAgo(24),
    signInsBefore: monthsAgo(12),
    unknownSignInsBefore: monthsAgo(3),
  })
})

test('a super user sees when certificates end and since when keys sign', async () => {
  const { portal, root, read } = await open()
  const { selfSigned } = await import('#test/saml/certificate.ts')
  const { certificate } = selfSigned({ name: 'company' })
  const form = { name: 'Berget', url: 'https://sso.berget.example', domain: 'https://berget.example', certificate }
  const { id } = (await root.post('/api/saml-configs', form)).json()
  const { certificates, keys } = await read()
  expect(certificates.map(({ kind }) => kind).sort()).toEqual(['samlConfig', 'samlEncryption', 'samlSigning'])
  expect(certificates.find(({ kind }) => kind === 'samlConfig')).toMatchObject({ samlConfigId: id, name: 'Berget' })
  const ends = certificates.map(({ endsAt }) => Date.parse(endsAt))
  expect(Math.min(...ends)).toBeGreaterThan(portal.now().getTime())
  expect(keys.map(({ purpose, state }) => `${purpose} ${state}`)).toEqual([
    'auditSigning current',
    'oidcSigning current',
    'samlEncryption current',
    'samlSigning current',
  ])
})

test('a super user sends a mail to herself, past the queue', async () => {
  const { received, url } = await mailServer()
  const { root } = await open({ SMTP_URL: url })
  expect((await root.post('/api/system/test-mail')).json()).toEqual({ sent: true, reason: null })
  expect(received).toHaveLength(1)
  expect(received[0]).toContain(`To: ${email}`)
})

test('a super user reads what the mail server answered, and no log has it', async () => {
  const { url } = await mailServer({
    onRcptTo: (_address, _session, callback) =>
      callback(Object.assign(new Error('5.7.1 Relaying denied for this sender'), { responseCode: 550 })),
  })
  const { portal, root } = await open({ SMTP_URL: url })
  const answer = (await root.post('/api/system/test-mail')).json()
  expect(answer.sent).toBe(false)
  expect(answer.reason).toContain('550 5.7.1 Relaying denied for this sender')
  expect(JSON.stringify(portal.logged)).not.toContain('Relaying')
})

test('a restored copy sends no test mail either', async () => {
  const { received, url } = await mailServer()
  const { portal, root } = await open({ SMTP_URL: url })
  await portal.system.db.updateTable('installation').set({ quarantinedSince: portal.now() }).execute()
  const copy = await portal.anotherNode()
  closing.push(() => copy.close())
  const browser = copy.browser()
  for (const [name, value] of Object.entries(root.cookies())) browser.setCookie(name, value)
  const response = await browser.post('/api/system/test-mail')
  expect([response.statusCode, response.json().message]).toEqual([409, 'outgoingQuarantine'])
  expect(received).toEqual([])
})

test('a super user reads why a mail server cannot be reached', async () => {
  const { root } = await open({ SMTP_URL: 'smtp://127.0.0.1:1' })
  const { sent, reason } = (await root.post('/api/system/test-mail')).json()
  expect({ sent, reason }).toEqual({ sent: false, reason: expect.stringContaining('ECONNREFUSED') })
})

test('a super user sends what waits for its next try, and a restored copy sends nothing', async () => {
  const { portal, root } = await open()
  const { db } = portal.system
  expect((await root.post('/api/system/send-waiting')).json()).toEqual({ messages: 0 })
  const message = {
    template: 'login-code',
    language: 'sv' as const,
    values: { code: '482913' },
    to: { address: email },
  }
  for (let count = 0; count < 2; count++) await portal.system.outbox.mail(db, message)
  const owner = new pg.Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  closing.push(() => owner.end())
  await owner.query(
    `update pgboss.job set state = 'retry', start_after = now() + interval '50 minutes' where name = 'mail'`,
  )
  expect((await root.post('/api/system/send-waiting')).json()).toEqual({ messages: 2 })
  const { rows } = await owner.query(`select from pgboss.job where name = 'mail' and start_after > now()`)
  expect(rows).toEqual([])

  await db.updateTable('installation').set({ quarantinedSince: portal.now() }).execute()
  const copy = await portal.anotherNode()
  closing.push(() => copy.close())
  const browser = copy.browser()
  for (const [name, value] of Object.entries(root.cookies())) browser.setCookie(name, value)
  expect((await browser.post('/api/system/send-waiting')).json().message).toBe('outgoingQuarantine')
})
