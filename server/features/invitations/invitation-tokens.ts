import type { Db } from '#server/platform/database/database.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { deriveToken, parseDerivedTokenId, verifyDerivedToken } from '#server/platform/secrets/tokens.ts'
import type { System } from '#server/platform/system.ts'
import { findOpenInvitation, findOpenInvitationForUpdate, type OpenInvitation } from './invitations.repository.ts'
import { listLinkReaders } from './link-readers.repository.ts'

/**
 * An invitation has two links. The mailed link proves that the person who opens it reads the mail of that address. The
 * shown link is visible to admins, so it proves nothing: it can only create a new account in that organisation, and only
 * while the admin who has read it may invite there. Each admin reads another one.
 */
type Purpose = 'invitation' | `invitation shown ${string}`

interface Named {
  invitationId: string
  tokenVersion: number
}

const addressOf = ({ config, keys }: Pick<System, 'config' | 'keys'>, what: Named, purpose: Purpose) =>
  `${config.baseUrl}/accept-invitation/${deriveToken(keys, { purpose, id: what.invitationId, version: what.tokenVersion })}`

/** The link for the mail to the invited address; never show it to anyone else. */
export const mailedLink = (system: Pick<System, 'config' | 'keys'>, what: Named) =>
  addressOf(system, what, 'invitation')

/** The link that this admin can pass on. */
export const shownLink = (system: Pick<System, 'config' | 'keys'>, what: Named, reader: string) =>
  addressOf(system, what, `invitation shown ${reader}`)

/** The open invitation of a token. */
export interface OpenLink {
  invitation: OpenInvitation
  /** The link came by mail to the invited address, so it proves the address. */
  mailed: boolean
}

/** @returns undefined for a token that is used, expired, replaced, made up, or read by who may invite no more */
export async function findByToken(
  db: Db,
  { keys, now, token, lock = false }: { keys: Keys; now: Date; token: string; lock?: boolean },
): Promise<OpenLink | undefined> {
  const id = parseDerivedTokenId(token)
  const invitation = id && (await (lock ? findOpenInvitationForUpdate : findOpenInvitation)(db, id, now))
  if (!invitation) return undefined
  const isFor = (purpose: Purpose) => verifyDerivedToken(keys, { purpose, id, version: invitation.tokenVersion }, token)
  if (isFor('invitation')) return { invitation, mailed: true }
  const { organizationId } = invitation
  const readers = organizationId ? await listLinkReaders(db, organizationId) : []
  return readers.some((reader) => isFor(`invitation shown ${reader}`)) ? { invitation, mailed: false } : undefined
}
