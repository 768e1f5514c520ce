import { oidcConfigForm } from '#contract/saml-configs/oidc-configs.ts'
import { loadClientKey } from '#server/company-oidc/client-key.ts'
import type { ClaimNames } from '#server/company-oidc/token-claims.ts'
import type { Db } from '#server/platform/database/database.ts'
import { pickFields } from '#server/platform/database/versioned.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { findOidcConfig, unsealClientSecret } from '../../saml-configs/saml-configs.ts'

/** What a test sign-in tries. */
export interface TestedValues extends ClaimNames {
  name: string
  /** The issuer. */
  url: string
  domain: string
  clientId: string
  /** The portal's key takes the place of the secret. */
  clientKey: boolean
  assertsNumbers: boolean
  clientSecret: string | null
}

/** What a test of the saved values would try. */
export async function testedOfSaved(db: Db, keys: Keys, id: number): Promise<TestedValues | undefined> {
  const saved = await findOidcConfig(db, id)
  if (!saved) return undefined
  const form = pickFields(oidcConfigForm, saved)
  return { ...form, clientId: form.clientId ?? '', clientSecret: await unsealClientSecret(keys, saved) }
}

/** How the portal proves who it is at the provider. */
export const credentialOf = (
  keys: Keys,
  { clientKey, clientSecret }: Pick<TestedValues, 'clientKey' | 'clientSecret'>,
) => (clientKey ? loadClientKey(keys) : (clientSecret ?? ''))
