import { createRequire } from 'node:module'
import type pg from 'pg'
import { queueSchema, queues } from './queues.ts'

/** Changes whenever the queue's tables or our queues do. Read without loading the queue itself, which takes a while. */
export function queuesVersion(): string {
  return JSON.stringify([schemaVersion(), queues])
}

const schemaVersion = () =>
  (createRequire(import.meta.url)('pg-boss/package.json') as { pgboss: { schema: number } }).pgboss.schema

/** Makes the queue's schema and our queues, or brings them to this version. The owner's work. */
export async function installQueues(client: pg.Client): Promise<void> {
  const { getConstructionPlans, getMigrationPlans, PgBoss } = await import('pg-boss')
  const { rows } = await client.query(`select to_regclass('${queueSchema}.version') is not null as installed`)
  if (rows[0].installed) {
    const found = await client.query(`select version from ${queueSchema}.version`)
    const { version } = found.rows[0]
    if (version < schemaVersion()) await client.query(getMigrationPlans(queueSchema, version))
  } else {
    await client.query(getConstructionPlans(queueSchema))
  }
  // The queue asks several things at once; a single connection answers them in turn.
  let last: Promise<unknown> = Promise.resolve()
  const executeSql = (text: string, values?: unknown[]) => {
    const answer = last.then(() => client.query(text, values))
    last = answer.catch(() => {})
    return answer
  }
  const boss = new PgBoss({
    db: { executeSql },
    schema: queueSchema,
    migrate: false,
    supervise: false,
    schedule: false,
  })
  await boss.start()
  for (const { name, ...options } of queues) {
    await boss.createQueue(name, options)
    await boss.updateQueue(name, options)
  }
  await boss.stop({ graceful: false, close: false })
  await last
}
