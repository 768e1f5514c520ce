import { oidcConfigForm, type oidcConfigs } from '#contract/saml-configs/oidc-configs.ts'
import { checkVersion, isUnchanged, merged, pickFields } from '#server/platform/database/versioned.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { refuseInsecureUrls } from '#server/platform/insecure-urls.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { auditedConfig } from './audited-config.ts'
import {
  findOidcConfigForUpdate,
  insertOidcConfig,
  unsealClientSecret,
  updateOidcConfig,
} from './oidc-configs.repository.ts'
import { prepareOrganization } from './prepare-organization.ts'
import { takeReserved } from './reservations.ts'

/** Sign-in of organisations by OpenID Connect. What both kinds share is in `saml-configs.handlers.ts`. */
export const oidcConfigsHandlers: Handlers<typeof oidcConfigs> = {
  create: async (context) => {
    const { db, keys, now, config, input, audit } = context
    const { clientSecret, reservation, organizationId, ...columns } = input
    refuseInsecureUrls(config, columns, ['url', 'domain'])
    const id = await takeReserved(db, now, reservation)
    const secret = columns.clientKey ? null : clientSecret
    const after = await insertOidcConfig(db, keys, now, { id, columns, secret })
    audit({ name: 'createSamlConfig', ...auditedConfig(after) })
    if (organizationId) await prepareOrganization(context, organizationId, id)
    return after
  },
  update: async ({ db, keys, now, config, input, audit }) => {
    const { id, version, clientSecret, ...sent } = input
    const { clientSecretSealed, ...before } = found(await findOidcConfigForUpdate(db, id))
    checkVersion(before, version)
    const stored = pickFields(oidcConfigForm, before)
    const columns = merged({ ...stored, clientId: stored.clientId ?? '' }, sent)
    refuseInsecureUrls(config, columns, ['url', 'domain'])
    keepSecretWithIssuer(before, columns, clientSecret)
    const present = await unsealClientSecret(keys, { id, clientSecretSealed })
    const secret = columns.clientKey ? null : clientSecret || undefined
    const isSame = secret === undefined || secret === present
    if (isSame && isUnchanged<object>(before, columns)) return before
    const after = await updateOidcConfig(db, keys, now, { id, columns, secret: isSame ? undefined : secret })
    audit({ name: 'updateSamlConfig', ...auditedConfig(after), before: auditedConfig(before).after })
    return after
  },
}

/**
 * A secret goes to no other provider than the one that it was given for: nobody could read it before, either.
 *
 * @throws Problem 422 at `clientSecret`
 */
export function keepSecretWithIssuer(
  saved: { url: string; clientKey: boolean },
  form: { url: string; clientKey: boolean },
  secret: unknown,
): void {
  if (form.clientKey || secret) return
  if (saved.clientKey)
    throw new Problem(422, 'validationFailed', { issues: [{ path: 'clientSecret', message: 'required' }] })
  if (form.url !== saved.url)
    throw new Problem(422, 'validationFailed', { issues: [{ path: 'clientSecret', message: 'secretOfOtherIssuer' }] })
}
