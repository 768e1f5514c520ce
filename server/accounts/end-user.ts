import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { found } from '#server/platform/problem.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { endAccount } from './end-account.repository.ts'
import { readRolesText } from './grants.repository.ts'
import { lockUser, type StoredUser } from './stored-user.repository.ts'
import { forAudit, labelled, organizationIdsOf } from './user-audit.ts'

/** What ending an account needs. */
export interface Ending {
  db: Db
  keys: Keys
  audit: (entry: AuditEntry) => void
}

/**
 * Ends an account, with one event.
 *
 * @param successor the account that takes the address over; the event has both ids
 */
export async function endUser(
  { db, keys, audit }: Ending,
  accountId: string,
  successor?: { id: string; label: string },
): Promise<StoredUser> {
  const before = found(await lockUser(db, accountId))
  const organizationIds = organizationIdsOf(before)
  const roles = await readRolesText(db, accountId, organizationIds)
  await endAccount(db, accountId)
  audit({
    name: 'deleteUser',
    ...(successor && { actor: successor, after: { replacedBy: successor.id } }),
    target: labelled(before),
    before: { ...(await forAudit(keys, before)), roles: [...roles.values()].join(', ') },
    organizationIds,
  })
  return before
}
