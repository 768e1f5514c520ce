import type { Db } from '#server/platform/database.ts'
import type { Keys } from '#server/platform/keys.ts'
import type { System } from '#server/platform/system.ts'
import { derivedToken, derivedTokenId, isDerivedToken } from '#server/platform/tokens.ts'
import { findOpenInvitation, findOpenInvitationForUpdate, type OpenInvitation } from './invitations.repository.ts'

/**
 * An invitation has two links. The mailed one proves that whoever opens it reads the mail of that address. The shown
 * one can be read by an admin, so it proves nothing of the kind: it opens an account that belongs to that admin's
 * organisation alone, and is dead as long as there is more to the account.
 */
type Purpose = 'invitation' | 'invitation shown'

interface Named {
  invitationId: string
  tokenVersion: number
}

const addressOf = ({ config, keys }: Pick<System, 'config' | 'keys'>, what: Named, purpose: Purpose) =>
  `${config.baseUrl}/accept-invitation/${derivedToken(keys, { purpose, id: what.invitationId, version: what.tokenVersion })}`

/** For a mail to the invited address, and for nobody else. */
export const mailedLink = (system: Pick<System, 'config' | 'keys'>, what: Named) =>
  addressOf(system, what, 'invitation')

/** For an admin to hand over. */
export const shownLink = (system: Pick<System, 'config' | 'keys'>, what: Named) =>
  addressOf(system, what, 'invitation shown')

/** The invitation that a token opens at this moment; undefined for one that is used, expired, replaced or made up. */
export async function findByToken(
  db: Db,
  { keys, now, token, lock = false }: { keys: Keys; now: Date; token: string; lock?: boolean },
): Promise<OpenInvitation | undefined> {
  const id = derivedTokenId(token)
  if (!id) return undefined
  const invitation = await (lock ? findOpenInvitationForUpdate : findOpenInvitation)(db, id, now)
  if (!invitation) return undefined
  const isFor = (purpose: Purpose) => isDerivedToken(keys, { purpose, id, version: invitation.tokenVersion }, token)
  return isFor('invitation') || (invitation.isOnlyHere && isFor('invitation shown')) ? invitation : undefined
}
