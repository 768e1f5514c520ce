import { prepareDemo, refuseDemo } from './demo/demo-sign-ins.ts'
import { inviteFirstSuperUser } from './features/invitations/first-super-user.ts'
import { backgroundTimeout, openDatabase } from './platform/database/database.ts'
import type { System } from './platform/system.ts'
import type { PreparedDatabase } from './prepare-database.ts'

interface Preparation {
  database: PreparedDatabase
  say: (line: string) => void
}

/**
 * What the database must have before anybody comes: the demo, or the first super user. This is no request, so its
 * statements have the time of jobs: on a busy machine they take longer than a request may.
 *
 * @returns the users of the demo to sign in as
 * @throws ConfigError in production, when the database has the demo in it
 */
export async function prepareContent(
  system: System,
  { database: { appUrl, appRole }, say }: Preparation,
): Promise<readonly { email: string; what: string }[]> {
  const { db, close } = openDatabase({ url: appUrl, role: appRole, size: 2, statementTimeout: backgroundTimeout })
  const patient = { ...system, db }
  try {
    const signIns = system.config.demo ? await prepareDemo(patient, say) : []
    if (system.config.production) await refuseDemo(patient)
    if (system.config.bootstrapEmail) await inviteFirstSuperUser(patient, say)
    return signIns
  } finally {
    await close()
  }
}
