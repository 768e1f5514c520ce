import type { saml } from '#contract/saml.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import { found } from '#server/platform/problem.ts'
import type { Handlers } from '#server/platform/request-context.ts'
import { beginSaml } from './begin.ts'
import { acsUrl, findCompany, ownEntityId } from './company.repository.ts'
import { completeSaml } from './complete.ts'
import { metadataXml } from './metadata.ts'
import { receiveAnswer } from './receive-answer.ts'
import { signingKeys } from './signing-keys.ts'

/** Sign-in at a company's own identity provider, from the address that leads there to the one where it ends. */
export const samlHandlers = (provider: MountedProvider): Handlers<typeof saml> => ({
  begin: beginSaml,
  answer: receiveAnswer,
  complete: (context) => completeSaml(context, provider),
  metadata: async ({ db, config, keys, params, http }) => {
    const { id, requestSigningEnabled, wantAssertionsSigned } = found(await findCompany(db, Number(params.id)))
    http.reply.type('application/samlmetadata+xml; charset=utf-8')
    return metadataXml({
      entityId: ownEntityId(config, id),
      acsUrl: acsUrl(config, id),
      certificates: requestSigningEnabled ? signingKeys(keys).map(({ certificate }) => certificate) : [],
      wantAssertionsSigned: wantAssertionsSigned ?? false,
    })
  },
})
