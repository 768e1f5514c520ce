import { samlConfigForm } from '#contract/saml-configs.ts'
import type { samlTests } from '#contract/saml-tests.ts'
import { isUnchanged } from '#server/platform/database/versioned.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { generateToken } from '#server/platform/secrets/tokens.ts'
import { createAuthnRequestUrl } from '#server/saml/authn-request.ts'
import { acsUrl, ownEntityId } from '#server/saml/service-provider.ts'
import { loadSigningKeys } from '#server/saml/signing-keys.ts'
import { checkForm, findSamlConfig, samlFormOf } from '../../saml-configs/saml-configs.ts'
import { testedOfSaved } from '../oidc-test/tested-values.ts'
import { findCompany } from '../saml/company.repository.ts'
import { findResult, rememberTest } from './saml-test.repository.ts'

/** Test sign-ins by super users. */
export const samlTestHandlers: Handlers<typeof samlTests> = {
  begin: async ({ db, now, config, keys, input, session }) => {
    const { id, ...form } = input
    const company = await findCompany(db, id)
    found(company?.kind === 'saml' ? company : undefined)
    checkForm(config, form)
    const requestId = `_${generateToken()}`
    const relayState = await rememberTest(db, now, { samlConfigId: id, requestId, sessionKey: session.key, form })
    const url = createAuthnRequestUrl({
      id: requestId,
      destination: form.url,
      issuer: ownEntityId(config, id),
      acsUrl: acsUrl(config, id),
      now,
      anew: false,
      relayState,
      key: form.requestSigningEnabled ? loadSigningKeys(keys)[0]?.key : undefined,
    })
    return { url }
  },
  result: async ({ db, keys, now, params, query, session }) => {
    const samlConfigId = Number(params.id)
    const { ticket } = query
    const result = found(await findResult(db, keys, now, { samlConfigId, sessionKey: session.key, ticket }))
    const row = found(await findSamlConfig(db, samlConfigId))
    const { kind, active } = row
    const tested = { ...result.form, active }
    // As a form reads it: what was made by SQL may have blanks around it.
    const saved =
      kind === 'oidc' ? await testedOfSaved(db, keys, samlConfigId) : samlConfigForm.safeParse(samlFormOf(row)).data
    return {
      ...result.found,
      kind,
      active,
      saved: saved !== undefined && isUnchanged<object>({ ...saved, active }, tested),
    }
  },
}
