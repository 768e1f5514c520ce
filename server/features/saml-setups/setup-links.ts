import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { deriveToken, parseDerivedTokenId, verifyDerivedToken } from '#server/platform/secrets/tokens.ts'
import { findSetup, findSetupForUpdate, type Setup } from './saml-setups.repository.ts'

const named = (setupId: string) => ({ purpose: 'SAML set-up', id: setupId, version: 1 })

/** The link for the IT of an organisation. */
export const setupLink = ({ config, keys }: { config: Config; keys: Keys }, setupId: string): string =>
  `${config.baseUrl}/saml-setup/${deriveToken(keys, named(setupId))}`

/**
 * Finds the link of a token.
 *
 * @throws Problem 404 `setupLinkInvalid` alike for one that is made up, expired or revoked
 */
export async function findByToken(
  { db, keys, now }: { db: Db; keys: Keys; now: Date },
  token: string,
  { lock = false } = {},
): Promise<Setup> {
  const setupId = parseDerivedTokenId(token)
  const genuine = setupId !== undefined && verifyDerivedToken(keys, named(setupId), token)
  const setup = genuine ? await (lock ? findSetupForUpdate : findSetup)(db, setupId) : undefined
  if (!setup || setup.state === 'revoked' || setup.expiresAt <= now) throw new Problem(404, 'setupLinkInvalid')
  return setup
}
