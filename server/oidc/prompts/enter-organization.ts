import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { enterPath } from '#contract/launcher/launcher.ts'
import type { PortalAccount } from '../accounts.ts'
import { sameRequest } from './same-request.ts'

/** The prompt of a person who has the service in organisations that ask for a stronger sign-in (product-rules 11.4). */
export const enterOrganization = 'enter_organization'

export function enterOrganizationPrompt() {
  const { Check, Prompt } = interactionPolicy
  const check = new Check(
    'stronger_sign_in_required',
    'the organisation asks for a stronger sign-in',
    'interaction_required',
    (ctx) => {
      const account = ctx.oidc.account as PortalAccount | undefined
      return account?.heldBackIn ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
    },
  )
  return new Prompt({ name: enterOrganization, requestable: false }, check)
}

/** The portal's page asks for it, and then sends the same authorization request again. */
export const enterOrganizationUrl = (oidc: KoaContextWithOIDC['oidc']): string =>
  enterPath((oidc.account as PortalAccount).heldBackIn ?? '', sameRequest(oidc))
