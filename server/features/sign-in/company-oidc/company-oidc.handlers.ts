import type { companyOidc } from '#contract/saml-configs/oidc-configs.ts'
import { publicClientKeys } from '#server/company-oidc/client-key.ts'
import type { Providers } from '#server/company-oidc/known-providers.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { receiveCallback } from './receive-callback.ts'

/** Sign-in at a company's own OpenID Provider; it begins and ends as with SAML. */
export const companyOidcHandlers = (providers: Providers): Handlers<typeof companyOidc> => ({
  jwks: async ({ keys }) => ({ keys: publicClientKeys(keys) }),
  callback: (context) => receiveCallback(context, providers),
})
