import type { Keys } from '#server/platform/secrets/keys.ts'
import { seal, unseal } from '#server/platform/secrets/sealing.ts'

const cell = (setupId: string) => ({ table: 'saml_setups', column: 'client_secret_sealed', row: setupId })

/** The secret of a draft of OpenID Connect, as it is stored; null where the portal's key takes its place. */
export const sealSetupSecret = (keys: Keys, setupId: string, secret: string | null): Buffer | null =>
  secret === null ? null : seal(keys, 'fields', cell(setupId), secret)

export async function unsealSetupSecret(
  keys: Keys,
  { setupId, clientSecretSealed }: { setupId: string; clientSecretSealed: Buffer | null },
): Promise<string | null> {
  if (!clientSecretSealed) return null
  return (await unseal(keys, cell(setupId), clientSecretSealed)).toString('utf8')
}
