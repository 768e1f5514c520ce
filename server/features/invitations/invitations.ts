// The door of the room: what a change of an organisation means for whom it has invited, and what to tell them meanwhile.
import type { LoginMethod } from '#contract/roles.ts'
import type { AuditEntry } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database.ts'
import type { System } from '#server/platform/system.ts'
import { followOrganization } from './follow-organization.repository.ts'
import { mailedLink } from './invitation-tokens.ts'
import { findOpenInvitationOf } from './invitations.repository.ts'

/** The invitation that waits for a person, with its link as it was mailed: for a mail to the same address alone. */
export async function findWaitingInvitation(
  system: Pick<System, 'config' | 'keys'> & { now: Date },
  db: Db,
  accountId: string,
): Promise<{ organizationName: string | null; link: string; expiresAt: Date } | undefined> {
  const invitation = await findOpenInvitationOf(db, accountId, system.now)
  if (!invitation) return undefined
  const { organizationName, expiresAt } = invitation
  return { organizationName, link: mailedLink(system, invitation), expiresAt }
}

/** An organisation, and how it signs in. */
export interface SignsIn {
  organizationId: string
  loginMethod: LoginMethod
  samlConfigId: number | null
}

/**
 * Who has yet to accept signs in as the organisation does by then: the links that are out stay, and ask for what the
 * new way needs. Whoever belongs elsewhere too, or was given a way of the own, keeps it.
 */
export async function inviteesFollow(
  db: Db,
  before: SignsIn,
  after: SignsIn,
  audit: (entry: AuditEntry) => void,
): Promise<void> {
  if (before.loginMethod === after.loginMethod && before.samlConfigId === after.samlConfigId) return
  const { organizationId } = after
  const wayOf = ({ loginMethod, samlConfigId }: SignsIn) => ({ loginMethod, samlConfigId })
  for (const { accountId, email } of await followOrganization(db, before, after))
    audit({
      name: 'updateUser',
      target: { id: accountId, label: email },
      organizationIds: [organizationId],
      before: wayOf(before),
      after: wayOf(after),
    })
}
