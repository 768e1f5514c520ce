import type { Actor } from '#contract/actor.ts'
import type { OrganizationRole } from '#contract/roles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Problem } from '#server/platform/problem.ts'
import { findOtherAdmin } from './users.repository.ts'

interface Departure {
  accountId: string
  /** The membership that ends, or loses its role. */
  membership: { organizationId: string; userRole: OrganizationRole }
  query: { force?: 'true' | 'false' | undefined }
}

/**
 * Asks before an admin gives up the own role where nobody else can administer the organisation. Afterwards only the
 * operator could appoint someone.
 *
 * @throws Problem 409 `lastAdmin` unless `force`
 */
export async function askLastAdmin(db: Db, actor: Actor, { accountId, membership, query }: Departure): Promise<void> {
  const { organizationId, userRole } = membership
  if (actor.accountId !== accountId || userRole !== 'organizationAdmin' || query.force === 'true') return
  if (!(await findOtherAdmin(db, { accountId, organizationId }))) throw new Problem(409, 'lastAdmin')
}
