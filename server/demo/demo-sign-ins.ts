import { sql } from 'kysely'
import { ConfigError } from '#server/config.ts'
import type { System } from '#server/platform/system.ts'
import { demoSignIns, demoSuperUser } from './demo-data.ts'
import { demoIdpEntityId } from './demo-neighbours.ts'

/**
 * Loads the demo into an empty database.
 *
 * @returns the users to sign in as, if the database has the demo; otherwise none
 */
export async function prepareDemo(
  system: System,
  say: (line: string) => void,
): Promise<readonly { email: string; what: string }[]> {
  const someone = await system.db.selectFrom('users').select('email').limit(1).executeTakeFirst()
  if (!someone) {
    say('Loading the demo ...')
    const { loadDemo } = await import('./load-demo.ts')
    await loadDemo(system)
  }
  return (await isDemo(system)) ? demoSignIns : []
}

/**
 * Keeps production from serving a database with the demo in it: its passwords and SAML key are public.
 *
 * @throws ConfigError
 */
export async function refuseDemo(system: System): Promise<void> {
  if (await isDemo(system))
    throw new ConfigError('DATABASE_URL must not be a database with the demo in it: its passwords are public')
}

async function isDemo({ db }: System): Promise<boolean> {
  const { rows } = await sql`
    select from users where email = ${demoSuperUser.email}
    union all select from saml_configs where entity_id = ${demoIdpEntityId} limit 1`.execute(db)
  return rows.length > 0
}
