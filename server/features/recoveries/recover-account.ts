import { lockUser, type StoredUser } from '#server/accounts/stored-user.repository.ts'
import { labelled, organizationIdsOf } from '#server/accounts/user-audit.ts'
import { endRecovery, listDueAccounts } from '#server/credentials/factors/recoveries.repository.ts'
import { type FactorRemoval, removeEveryFactor } from '#server/credentials/factors/remove-every-factor.ts'
import { endAllSessions } from '#server/oidc/end-sessions.ts'
import { type AuditEntry, writeAuditEvent } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import { newId } from '#server/platform/ids.ts'
import type { RecurringJob } from '#server/platform/jobs/run-job.ts'
import type { System } from '#server/platform/system.ts'
import { mailAboutRecovery } from './mail-about-recovery.ts'
import { findOpenRecovery } from './open-recovery.ts'

type Context = Pick<System, 'config' | 'outbox'> & { now: Date }

/**
 * Takes the second factors off: the person signs in with the password and a code by mail, and chooses a new factor before anything
 * else. Every session of the account ends, and nobody gets one.
 */
export async function recoverAccount(
  context: Context,
  db: Db,
  owner: StoredUser,
  record: (event: { name: 'recoverAccount' } | FactorRemoval) => Promise<void> | void,
): Promise<void> {
  await record({ name: 'recoverAccount' })
  await removeEveryFactor(context, db, owner, record)
  await endAllSessions(db, owner.accountId)
  await mailAboutRecovery(context, db, owner, { what: 'done', reason: null, at: context.now.toISOString() })
}

type Options = Pick<System, 'db' | 'config' | 'outbox' | 'clock' | 'log'>

/** Does what was asked for a day ago, and nobody stopped. One that fails holds up no other, and is tried again. */
export const createRecoveriesJob = ({ db, clock, log, ...system }: Options): RecurringJob => ({
  name: 'recoveries',
  cron: '*/5 * * * *',
  async run() {
    const context = { ...system, now: clock() }
    const failures: unknown[] = []
    for (const accountId of await listDueAccounts(db, context.now))
      await inTransaction(db, (trx) => recoverIfDue(context, trx, accountId)).catch((error: unknown) => {
        log.error({ err: error, accountId }, 'a recovery failed; retrying')
        failures.push(error)
      })
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} recoveries failed`)
  },
})

/** What the admin may no longer ask for does not happen. */
async function recoverIfDue(context: Context, db: Db, accountId: string): Promise<void> {
  const { now } = context
  const owner = await lockUser(db, accountId)
  if (!owner) return
  const recovery = await findOpenRecovery({ ...context, db }, owner)
  if (recovery && recovery.dueAt > now) return
  const organizationIds = organizationIdsOf(owner)
  const requestId = newId()
  const write = (event: Pick<AuditEntry, 'name' | 'before'>) =>
    writeAuditEvent(db, { ...event, actor: null, target: labelled(owner), organizationIds }, { requestId, now })
  if (recovery) await recoverAccount(context, db, owner, write)
  else if (await endRecovery(db, accountId)) await write({ name: 'stopRecovery' })
}
