import { sql } from 'kysely'
import { ConfigError } from '#server/config.ts'
import type { System } from '#server/platform/system.ts'
import { demoSignIns, demoSuperUser } from './demo-data.ts'
import { demoIdp } from './demo-idp-address.ts'

/**
 * Loads the demo into an empty database.
 *
 * @returns who can sign in, where this is the demo; nobody on other data
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
 * Keeps production from serving what was once a demo: everybody knows its passwords, and the key of its company's sign-in.
 *
 * @throws ConfigError
 */
export async function refuseDemo(system: System): Promise<void> {
  if (await isDemo(system))
    throw new ConfigError('DATABASE_URL must not be a database with the demo in it, whose passwords everybody knows')
}

async function isDemo({ db }: System): Promise<boolean> {
  const { rows } = await sql`
    select from users where email = ${demoSuperUser.email}
    union all select from saml_configs where entity_id = ${demoIdp} limit 1`.execute(db)
  return rows.length > 0
}
