import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { DB } from '#server/platform/database/database-types.ts'
import { nodeGoneAfterMs } from '#server/platform/jobs/heartbeat.ts'
import { findWaiting } from '#server/platform/messages/send-waiting.ts'

const patienceMs = 30_000

interface Options {
  db: Kysely<DB>
  say: (line: string) => void
}

/** Waits until running servers have tried these messages, half a minute at most, and says what became of them. */
export async function sayOutcome(ids: readonly string[], { db, say }: Options): Promise<void> {
  const alive = await db
    .selectFrom('nodes')
    .select('nodeId')
    .where('seenAt', '>', new Date(Date.now() - nodeGoneAfterMs))
    .execute()
  if (alive.length === 0) {
    say('No server is running: the next one that starts sends them.')
    return
  }
  let outcome = await read(db, ids)
  for (const until = Date.now() + patienceMs; outcome.open.length > 0 && Date.now() < until; ) {
    await wait(500)
    outcome = await read(db, ids)
  }
  const { sent, dropped, again, failed, open } = outcome
  if (sent.length > 0) say(`Sent: ${sent.length}.`)
  if (dropped.length > 0) say(`Dropped, because the code or link in them has expired: ${dropped.length}.`)
  if (again.length > 0) say(`Tried, and will be tried again: ${again.length}.`)
  if (failed.length > 0) say(`Failed for good: ${failed.length}.`)
  for (const { id, reason } of [...again, ...failed]) say(`  ${id}  ${reason}`)
  if (open.length > 0) say(`Not tried yet: ${open.length}. outbox list --all shows them.`)
}

async function read(db: Kysely<DB>, ids: readonly string[]) {
  const waiting = await findWaiting(db, ['mail', 'sms'])
  const messages = await db
    .selectFrom('outboxMessages')
    .select(['id', 'state', 'reason'])
    .where('id', 'in', ids)
    .execute()
  const having = (state: string) => messages.filter((message) => message.state === state)
  return {
    sent: having('sent'),
    dropped: having('dropped'),
    failed: having('failed'),
    again: having('queued').filter(({ id }) => waiting.has(id)),
    open: having('queued').filter(({ id }) => !waiting.has(id)),
  }
}
