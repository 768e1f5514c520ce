import type { oidcTests } from '#contract/saml-configs/oidc-configs.ts'
import { askProvider, createProof } from '#server/company-oidc/company-provider.ts'
import type { Providers } from '#server/company-oidc/known-providers.ts'
import { redirectUri } from '#server/company-oidc/redirect-uri.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { refuseInsecureUrls } from '#server/platform/insecure-urls.ts'
import { found, Problem } from '#server/platform/problem.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { Refusal } from '#server/saml/refusal.ts'
import { keepSecretWithIssuer } from '../../saml-configs/saml-configs.ts'
import { type OidcTest, rememberOidcTest } from './oidc-test.repository.ts'
import { credentialOf, testedOfSaved } from './tested-values.ts'

/** Test sign-ins by super users. */
export const oidcTestHandlers = (providers: Providers): Handlers<typeof oidcTests> => ({
  begin: async ({ db, now, keys, config, input, session }) => {
    const { id, active: _, clientSecret, ...values } = input
    const saved = found(await testedOfSaved(db, keys, id))
    refuseInsecureUrls(config, values, ['url', 'domain'])
    keepSecretWithIssuer(saved, values, clientSecret)
    const form = { ...values, clientSecret: values.clientKey ? null : (clientSecret ?? saved.clientSecret) }
    const test = { samlConfigId: id, sessionKey: session.key, form }
    return { url: await beginOidcTest({ db, keys, now, config }, providers, test) }
  },
})

/** Begins a test sign-in at an OpenID Provider. @returns the address to send the browser to; throws Problem 422 at `url` */
export async function beginOidcTest(
  { db, keys, now, config }: { db: Db; keys: Keys; now: Date; config: Config },
  providers: Providers,
  { samlConfigId: id, form, ...of }: Pick<OidcTest, 'sessionKey' | 'form' | 'setup'> & { samlConfigId: number },
): Promise<string> {
  const outsider = of.setup !== undefined
  const provider = await providers
    .discover({ issuer: form.url, clientId: form.clientId, credential: await credentialOf(keys, form), outsider })
    .catch((error) => showAtIssuer(error, outsider))
  const proof = createProof()
  const state = await rememberOidcTest(db, keys, now, id, { ...proof, ...of, form })
  return askProvider(provider, { redirectUri: redirectUri(config, id), state, ...proof })
}

/** Someone without an account learns no more of what answers there than that it is no provider. */
function showAtIssuer(error: unknown, outsider: boolean): never {
  if (!(error instanceof Refusal)) throw error
  const message = error.failure === 'issuer' && !outsider ? 'otherIssuerDiscovered' : 'issuerNotReadable'
  throw new Problem(422, 'validationFailed', { issues: [{ path: 'url', message }], cause: error })
}
