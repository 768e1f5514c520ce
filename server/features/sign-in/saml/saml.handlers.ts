import type { saml } from '#contract/sign-in/saml.ts'
import type { Providers } from '#server/company-oidc/known-providers.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { PublicPages } from '#server/platform/http/public-pages.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { allowFormTarget } from '#server/platform/http/security-headers.ts'
import { found } from '#server/platform/problem.ts'
import { createMetadataXml } from '#server/saml/metadata.ts'
import { findMessage } from '#server/saml/send-message.ts'
import { acsUrl, ownEntityId, sloUrl } from '#server/saml/service-provider.ts'
import { signXml } from '#server/saml/signed-message.ts'
import { loadDecryptionKeys, loadSigningKeys } from '#server/saml/signing-keys.ts'
import { findReservation } from '../../saml-setups/saml-setups.ts'
import { findCompany } from '../company/company.repository.ts'
import { completeCompanySignIn } from '../company/complete-company-sign-in.ts'
import { beginSaml } from './begin-saml.ts'
import { receiveAnswer } from './receive-answer.ts'

/** Sign-in at a company's own identity provider. */
export const samlHandlers = (providers: Providers, pages: PublicPages): Handlers<typeof saml> => ({
  begin: (context) => beginSaml(context, providers),
  answer: receiveAnswer,
  complete: (context) => completeCompanySignIn(context),
  send: async ({ db, now, params, query, http }) => {
    const { destination, name, value, relayState } = found(await findMessage(db, now, params.id, query.ticket ?? ''))
    // Chromium applies the policy to the redirects after the form too, and identity providers send people on to other hosts.
    allowFormTarget(http.reply, new URL(destination).protocol)
    const message = name === 'SAMLRequest' ? { samlRequest: value } : { samlResponse: value }
    return pages.render(http.request, 'saml-message', { postTo: destination, ...message, relayState })
  },
  metadata: async ({ db, config, keys, now, params, query, http }) => {
    const id = Number(params.id)
    const signer = query.signed === 'true' ? loadSigningKeys(keys)[0] : undefined
    const company = await findCompany(db, id)
    const { requestSigningEnabled, wantAssertionsSigned, encryptionEnabled, cbcAllowed, logoutUrl } = found(
      company?.kind === 'oidc' ? undefined : (company ?? (await findPrepared(db, now, id))),
    )
    http.reply.type('application/samlmetadata+xml; charset=utf-8')
    const metadata = createMetadataXml({
      entityId: ownEntityId(config, id),
      acsUrl: acsUrl(config, id),
      // Sign-outs are always signed.
      certificates:
        requestSigningEnabled || logoutUrl || signer ? loadSigningKeys(keys).map(({ certificate }) => certificate) : [],
      authnRequestsSigned: requestSigningEnabled ?? false,
      sloUrl: logoutUrl ? sloUrl(config, id) : undefined,
      encryptionCertificate: encryptionEnabled ? loadDecryptionKeys(keys)[0]?.certificate : undefined,
      wantAssertionsSigned: wantAssertionsSigned ?? false,
      cbcAllowed,
      operator: { ...config, privacyUrl: config.privacyUrl ?? `${config.baseUrl}/privacy` },
      validUntil: signer && new Date(now.getTime() + 14 * 86_400_000),
    })
    return signer ? signXml(metadata, signer.key, 'first') : metadata
  },
})

/** A configuration that the IT of an organisation is preparing. */
async function findPrepared(db: Db, now: Date, id: number) {
  const draft = await findReservation(db, now, id)
  if (draft === undefined) return undefined
  const { requestSigningEnabled = false, logoutUrl = null } = draft ?? {}
  return { requestSigningEnabled, logoutUrl, wantAssertionsSigned: false, encryptionEnabled: false, cbcAllowed: false }
}
