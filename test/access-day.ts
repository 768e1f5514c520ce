import pg from 'pg'
import type { TestApp } from './test-app.ts'

/** The day that counts for access, on every node at once: no job has to run for it. */
export async function setAccessDay({ ownerUrl }: Pick<TestApp, 'ownerUrl'>, day: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query(`create or replace function access_day() returns date language sql stable parallel safe
      return '${day}'::date`)
  } finally {
    await client.end()
  }
}
