import type { System } from '#server/platform/system.ts'
import { demoSignIns, demoSuperUser } from './demo-data.ts'

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
  const superUser = await system.db
    .selectFrom('users')
    .select('email')
    .where('email', '=', demoSuperUser.email)
    .executeTakeFirst()
  return superUser ? demoSignIns : []
}
