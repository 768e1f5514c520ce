import type pg from 'pg'

/** What an operator wants to know of the database that a process works with. */
export interface DatabaseDescription {
  /** The version of PostgreSQL. */
  postgres: string
  /** The role as which the process works. */
  databaseRole: string
  /** The newest migration. */
  migration: string
}

/** Asks the database who it is. */
export async function describeDatabase(pool: Pick<pg.Pool, 'query'>): Promise<DatabaseDescription> {
  const { rows } = await pool.query<DatabaseDescription>(`select current_setting('server_version') as postgres,
    current_user::text as "databaseRole", (select name from migrations order by number desc limit 1) as migration`)
  return rows[0] as DatabaseDescription
}
