import pg from 'pg'
import { sessionOptions } from '#server/platform/database/session-settings.ts'

/** Every row of every table, as text. */
export async function readAllRows(ownerUrl: string): Promise<{ table: string; row: string }[]> {
  const client = new pg.Client({ connectionString: ownerUrl, options: sessionOptions() })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    )
    const all: { table: string; row: string }[] = []
    for (const { name } of tables) {
      const { rows } = await client.query(`select to_jsonb(t)::text as row from ${client.escapeIdentifier(name)} t`)
      for (const { row } of rows) all.push({ table: name, row })
    }
    return all
  } finally {
    await client.end()
  }
}
