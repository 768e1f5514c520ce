import { createRequire } from 'node:module'
import type pg from 'pg'
import { queueSchema, queues } from './queues.ts'

/** Changes when the tables of pg-boss or our queues change. Does not load pg-boss itself, which is slow. */
export function readQueuesVersion(): string {
  return JSON.stringify([schemaVersion(), queues])
}

const schemaVersion = () =>
  (createRequire(import.meta.url)('pg-boss/package.json') as { pgboss: { schema: number } }).pgboss.schema

/** Creates or updates the pg-boss schema and our queues. Needs the owner of the database. */
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
  // pg-boss sends queries concurrently; a single connection has to run them one after the other.
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
