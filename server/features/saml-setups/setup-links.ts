import { setupHours } from '#contract/saml-setups/saml-setups.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { deriveToken, parseDerivedTokenId, verifyDerivedToken } from '#server/platform/secrets/tokens.ts'
import { findSetup, findSetupForUpdate, type Setup } from './saml-setups.repository.ts'

const named = (setupId: string) => ({ purpose: 'SAML set-up', id: setupId, version: 1 })

const nobodys = '00000000-0000-0000-0000-000000000000'

/** When a link ends that is made, or sent back, now. */
export const inSetupHours = (now: Date): Date => new Date(now.getTime() + setupHours * 3600_000)

/** A rejection extends a link for the sign-in alone: the directory ends when it was to end at first. */
export const directoryUntil = ({ createdAt }: Pick<Setup, 'createdAt'>): Date => inSetupHours(createdAt)

/** Whether a link makes tokens for the directory. */
export const connectsDirectory = (setup: Setup, now: Date): boolean =>
  setup.directory && setup.makerMay && now < directoryUntil(setup)

/** The link for the IT of an organisation. */
export const setupLink = ({ config, keys }: { config: Config; keys: Keys }, setupId: string): string =>
  `${config.baseUrl}/saml-setup/${deriveToken(keys, named(setupId))}`

/**
 * Finds the link of a token.
 *
 * @throws Problem 404 `setupLinkInvalid` alike for one that is made up, expired or revoked, or whose maker may no longer do what it does
 */
export async function findByToken(
  { db, keys, now }: { db: Db; keys: Keys; now: Date },
  token: string,
  { lock = false } = {},
): Promise<Setup> {
  // The database is asked in every case, so that the time does not tell a revoked link from one that is made up.
  const setupId = parseDerivedTokenId(token) ?? nobodys
  const genuine = verifyDerivedToken(keys, named(setupId), token)
  const setup = await (lock && genuine ? findSetupForUpdate : findSetup)(db, setupId)
  if (!genuine || !setup?.makerMay || setup.state === 'revoked' || setup.expiresAt <= now)
    throw new Problem(404, 'setupLinkInvalid')
  return setup
}
