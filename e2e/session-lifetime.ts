import pg from 'pg'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import type { DemoEmail } from './people.ts'

/** How journeys let a session grow old: its end moves in the portal's database, as if nobody had come for a while. */
export interface SessionLifetime {
  /** Everything that this person is signed in with ends so many seconds from now. */
  leave: (email: DemoEmail, seconds: number) => Promise<void>
  close: () => Promise<void>
}

export async function openSessionLifetime(): Promise<SessionLifetime> {
  const dataDir = process.env.E2E_DATA_DIR
  if (!dataDir) throw new Error('E2E_DATA_DIR does not say where the portal keeps its database')
  const database = await startEmbeddedPostgres({ dataDir, say: () => {} })
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  return {
    leave: async (email, seconds) => {
      await client.query(
        `update sessions set expires_at = now() + make_interval(secs => $2)
          from users where users.account_id = sessions.account_id and users.email = $1`,
        [email, seconds],
      )
    },
    close: async () => {
      await client.end()
      await database.stop()
    },
  }
}
