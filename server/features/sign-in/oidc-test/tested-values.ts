import type { Db } from '#server/platform/database/database.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { findOidcConfig, unsealClientSecret } from '../../saml-configs/saml-configs.ts'

/** What a test sign-in tries. */
export interface TestedValues {
  name: string
  /** The issuer. */
  url: string
  domain: string
  clientId: string
  clientSecret: string
}

/** What a test of the saved values would try. */
export async function testedOfSaved(db: Db, keys: Keys, id: number): Promise<TestedValues | undefined> {
  const saved = await findOidcConfig(db, id)
  if (!saved) return undefined
  const { name, url, domain, clientId } = saved
  return { name, url, domain, clientId: clientId ?? '', clientSecret: await unsealClientSecret(keys, saved) }
}
