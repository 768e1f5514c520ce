import { type Kysely, type RawBuilder, sql } from 'kysely'
import { idempotencyTtl } from '#contract/idempotency.ts'
import type { KeptFor } from '#contract/kept.ts'
import type { DB } from '../database/database-types.ts'
import { removeOldInvitations } from './remove-invitations.ts'

const batchSize = 5000
const days = 24 * 3600 * 1000

/** What is old in each table. Every condition begins an index. */
export function listOld(now: Date, kept: KeptFor): [table: keyof DB, old: RawBuilder<unknown>][] {
  const daysAgo = (count: number) => new Date(now.getTime() - count * days)
  const links = daysAgo(kept.keepLinks)
  const messages = daysAgo(kept.keepMessages)
  return [
    ['sessions', sql`expires_at < ${daysAgo(kept.keepSessions)}`],
    ['oneTimeThings', sql`expires_at < ${links}`],
    // Anyone can begin a sign-in to a service, so this has no setting. A day is enough to begin again from the same page.
    ['providerArtifacts', sql`expires_at < ${daysAgo(1)}`],
    // What was handed in waits for a super user.
    ['samlSetups', sql`expires_at < ${links} and state <> 'handedIn'`],
    ['outboxMessages', sql`state <> 'queued' and finished_at < ${messages}`],
    ['logoutDeliveries', sql`state <> 'queued' and created_at < ${messages}`],
    ['dataCopies', sql`ready_at < ${daysAgo(kept.keepDataCopies)}`],
    ['accessRequests', sql`refused_because is not null and created_at < ${daysAgo(kept.keepAccessRequests)}`],
    ['accessReviews', sql`finished_at < ${daysAgo(kept.keepAccessReviews)}`],
    ['samlSignIns', sql`created_at < ${daysAgo(kept.keepSamlSignIns)}`],
    ['scimLog', sql`created_at < ${daysAgo(kept.keepScimLog)}`],
    ['scimTokens', sql`expires_at < ${links}`],
    // The rest has no setting: counters, and rows that are needed only while they are counted.
    ['idempotencyKeys', sql`created_at < ${new Date(now.getTime() - idempotencyTtl)}`],
    ['limits', sql`window_ends_at < ${now} and (blocked_until is null or blocked_until < ${now})`],
    ['newBrowsers', sql`day < ${daysAgo(2)} and told = sign_ins`],
    ['dailyPeople', sql`day < ${daysAgo(2)}`],
    // To compare with the year before.
    ['dailyFigures', sql`day < ${daysAgo(400)}`],
  ]
}

/**
 * Deletes what is no longer kept, in batches, so that no call waits for long; several nodes may do it at once. For what
 * expires this only frees space: expiry is checked at every use.
 */
export async function removeExpired(db: Kysely<DB>, now: Date, kept: KeptFor): Promise<void> {
  for (const [table, old] of listOld(now, kept)) {
    for (;;) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid = any (array(
          select ctid from ${sql.table(table)} where ${old} limit ${batchSize} for update skip locked))`.execute(db)
      if (numAffectedRows < batchSize) break
    }
  }
  await removeOldInvitations(db, now, kept)
  // A sign-in that was never completed, or a session that is over.
  await sql`
    delete from saml_sessions s
    where created_at < ${new Date(now.getTime() - 3600_000)}
      and not exists (select from sessions where uid = s.session_uid and expires_at > ${now})`.execute(db)
  // Nothing is kept of an address that is neither somebody's nor invited any more.
  await sql`
    delete from refused_addresses r
    where not exists (select from users where email = r.address)
      and not exists (select from invitations where email = r.address)`.execute(db)
}
