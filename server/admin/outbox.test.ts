import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { deliverMessage } from '#server/platform/messages/deliver-message.ts'
import { MailFailure } from '#server/platform/messages/mailer.ts'
import { createOutbox } from '#server/platform/messages/outbox.ts'
import { openKeys } from '#server/platform/secrets/keys.ts'
import { deriveMasterKey } from '#server/platform/secrets/master-key.ts'
import { type ConnectedDatabase, connectTestDatabase } from '#test/connected-database.ts'
import type { Command } from './command.ts'
import { command as list } from './outbox-list.ts'
import { command as resend } from './outbox-resend.ts'

const MASTER_KEY = 'qN3uY0wq5c0mG8lq0o2nT1xkq6zQmJ1f7m9bXw3r5sE='
let database: ConnectedDatabase
let failedId: string

/** Runs a command like `npm run admin`. @returns its exit code and output lines */
async function call({ run }: Command, positionals: string[] = [], values: Record<string, boolean> = {}) {
  const lines: string[] = []
  const env = { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl, MASTER_KEY, LOG_LEVEL: 'silent' }
  const code = await run({ config: readConfig(env), values, positionals, say: (line) => lines.push(line) })
  return { code, lines }
}

beforeAll(async () => {
  database = await connectTestDatabase()
  const { db } = database
  const clock = () => new Date('2026-11-21T08:00:00Z')
  const keys = await openKeys({ db, masterKey: deriveMasterKey(MASTER_KEY), clock })
  const outbox = createOutbox({ keys, clock })
  const message = { template: 'login-code', language: 'sv' as const, values: { code: '482913' } }
  failedId = await outbox.mail(db, { ...message, to: { address: 'user@nordvik.example' } })
  await outbox.mail(db, { ...message, to: { address: 'admin@nordvik.example' } })
  const refuse = async () => {
    throw new MailFailure('SMTP RCPT TO 550', { retry: false })
  }
  await deliverMessage(
    {
      db,
      keys,
      clock,
      render: { mail: async () => ({ subject: '', text: '', html: '' }), sms: async () => '' },
      mailer: { send: refuse, close: async () => {} },
      sms: { send: refuse },
      log: { warn: () => {}, error: () => {} } as never,
    },
    failedId,
  )
  keys.close()
})
afterAll(() => database.close())

test('an operator sees which messages failed and why, but not their content', async () => {
  const { lines } = await call(list)
  expect(lines).toEqual([
    `${failedId}  2026-11-21T08:00:00.000Z  failed  mail login-code to user@nordvik.example, 1 try: SMTP RCPT TO 550`,
  ])
  expect((await call(list, [], { all: true })).lines).toHaveLength(2)
})

test('an operator sends it again once; a message that did not fail is left alone', async () => {
  expect(await call(resend, [failedId])).toEqual({
    code: 0,
    lines: ['Queued again: 1.', 'No server is running: the next one that starts sends them.'],
  })
  expect((await call(resend, [failedId])).code).toBe(1)
  expect((await call(list)).lines).toEqual(['Nothing to show.'])
  await expect(call(resend, ['7'])).rejects.toThrow('7 is not the id of a message')
  await expect(call(resend)).rejects.toThrow('give one message id, or --failed')
})
