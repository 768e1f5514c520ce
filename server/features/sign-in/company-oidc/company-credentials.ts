import type { Configuration } from 'openid-client'
import { loadClientKey } from '#server/company-oidc/client-key.ts'
import type { Providers } from '#server/company-oidc/known-providers.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { unsealClientSecret } from '../../saml-configs/saml-configs.ts'
import type { Company } from '../company/company.repository.ts'

/** The provider of a company, with the portal's client there. */
export const providerOf = (
  { keys, now }: { keys: Keys; now: Date },
  providers: Providers,
  company: Company,
): Promise<Configuration> =>
  providers.find(company, now, async () => ({
    issuer: company.url,
    clientId: company.clientId ?? '',
    credential: company.clientKey ? await loadClientKey(keys) : ((await unsealClientSecret(keys, company)) ?? ''),
  }))
