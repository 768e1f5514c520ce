import { inviteAgain } from '#server/features/invitations/invitations.ts'
import { endAccount } from '#server/oidc/end-account.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { found } from '#server/platform/problem.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { forAudit, labelled, organizationIdsOf } from './user-audit.ts'
import { lockUser, type StoredUser } from './users.repository.ts'

interface Ending {
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
  await endAccount(db, accountId)
  audit({
    name: 'deleteUser',
    ...(successor && { actor: successor, after: { replacedBy: successor.id } }),
    target: labelled(before),
    before: await forAudit(keys, before),
    organizationIds: organizationIdsOf(before),
  })
  return before
}

interface TakenBack {
  /** The account that somebody else may have used; the caller has locked it. */
  accountId: string
  email: string
  /** The id of the account that takes the address over. The caller creates it afterwards. */
  successorId: string
  /** The organisation whose invitation the owner has accepted. */
  joining: string | null
  now: Date
}

/**
 * Ends an account whose address its user never proved, because the owner of the mailbox came: a new account with a new id
 * takes the address, and nothing of the old one reaches it (product-rules 11.2, security 46).
 */
export async function giveAddressBack(
  ending: Ending,
  { accountId, email, successorId, joining, now }: TakenBack,
): Promise<void> {
  const successor = { id: successorId, label: email }
  await inviteAgain(ending.db, ending.audit, { accountId, actor: successor, except: joining, now })
  await endUser(ending, accountId, successor)
}
