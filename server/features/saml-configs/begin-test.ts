import { linesOf } from '#contract/saml-configs/saml-options.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { authnRequestXml, requestIdOf } from '#server/saml/authn-request.ts'
import { sendMessage } from '#server/saml/send-message.ts'
import { acsUrl, ownEntityId } from '#server/saml/service-provider.ts'
import { loadSigningKeys } from '#server/saml/signing-keys.ts'
import { rememberTest, type SamlTest } from './saml-test.repository.ts'

/** Begins a test sign-in. @returns the address to send the browser to */
export async function beginTest(
  { db, now, config, keys }: { db: Db; now: Date; config: Config; keys: Keys },
  test: Omit<SamlTest, 'requestId'>,
): Promise<string> {
  const { samlConfigId: id, form } = test
  const relayState = await rememberTest(db, now, test)
  const xml = authnRequestXml({
    id: requestIdOf(relayState),
    destination: form.url,
    issuer: ownEntityId(config, id),
    acsUrl: acsUrl(config, id),
    now,
    forceAuthn: false,
    nameIdFormat: form.nameIdFormat,
    authnContexts: linesOf(form.authnContexts),
  })
  return sendMessage({
    ...{ db, now, baseUrl: config.baseUrl, id, byPost: form.postRequests },
    ...{ destination: form.url, name: 'SAMLRequest', xml, relayState },
    key: form.requestSigningEnabled ? loadSigningKeys(keys)[0]?.key : undefined,
  })
}
