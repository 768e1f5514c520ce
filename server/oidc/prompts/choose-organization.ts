import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { chooseOrganizationPath } from '#contract/launcher/launcher.ts'
import type { PortalAccount } from '../accounts.ts'
import { sameRequest } from './same-request.ts'

/** The prompt of a person who has the service in several organisations, one of which the service is to learn. */
export const chooseOrganization = 'choose_organization'

export function chooseOrganizationPrompt() {
  const { Check, Prompt } = interactionPolicy
  const check = new Check(
    'several_organizations',
    'the person has the service in several organisations: name one with organization_id',
    'interaction_required',
    (ctx) =>
      (ctx.oidc.account as PortalAccount | undefined)?.choices ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  )
  return new Prompt({ name: chooseOrganization, requestable: false }, check)
}

/** The portal's page shows them, and sends the same request again with the one that is picked. */
export const chooseOrganizationUrl = (oidc: KoaContextWithOIDC['oidc']): string =>
  chooseOrganizationPath((oidc.account as PortalAccount).choices ?? [], sameRequest(oidc))
