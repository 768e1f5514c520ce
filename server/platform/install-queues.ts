import { createRequire } from 'node:module'
import type pg from 'pg'
import { queueSchema, queues } from './queues.ts'

/** Changes whenever the queue's tables or our queues do. Read without loading the queue itself, which takes a while. */
export function queuesVersion(): string {
  const { pgboss } = createRequire(import.meta.url)('pg-boss/package.json') as { pgboss: { schema: number } }
  return JSON.stringify([pgboss.schema, queues])
}

/** Makes the queue's schema and our queues, or brings them to this version. The owner's work. */
export async function installQueues(client: pg.Client): Promise<void> {
  const { getConstructionPlans, getMigrationPlans, PgBoss } = await import('pg-boss')
  const { rows } = await client.query(`select to_regclass('${queueSchema}.version') is not null as installed`)
  if (rows[0].installed) {
    const found = await client.query(`select version from ${queueSchema}.version`)
    await client.query(getMigrationPlans(queueSchema, found.rows[0].version))
  } else {
    await client.query(getConstructionPlans(queueSchema))
  }
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) },
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
}
