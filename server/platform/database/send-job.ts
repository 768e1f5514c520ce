import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from './database.ts'
import { queueSchema } from './queues.ts'

const sending = new AsyncLocalStorage<Db>()

async function createSender() {
  // Loaded with the first job, because importing pg-boss takes 0.1 s.
  const { PgBoss, fromKysely } = await import('pg-boss')
  const boss = new PgBoss({
    // Every query runs in the transaction of the job, including the first lookup of the queue: with a separate connection
    // the pool could deadlock. It does not poll and holds no connection.
    db: {
      executeSql: (text, values) => fromKysely(sending.getStore() as Db).executeSql(text, values),
    },
    schema: queueSchema,
    migrate: false,
    supervise: false,
    schedule: false,
  })
  return (trx: Db, queue: string, id: string) => sending.run(trx, () => boss.send(queue, { id }))
}
let creating: ReturnType<typeof createSender> | undefined

/** Queues a job in the caller's transaction: it is rolled back with it, and runs soon after the commit. */
export async function sendJob(trx: Db, queue: string, id: string): Promise<void> {
  creating ??= createSender()
  const send = await creating
  await send(trx, queue, id)
}
