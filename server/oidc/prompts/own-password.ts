import { interactionPolicy } from 'oidc-provider'
import type { PortalAccount } from '../accounts.ts'

/** The prompt of a person whose password an admin chose. */
export const ownPassword = 'own_password'

/** A user must change a password that an admin chose before using any service. */
export function ownPasswordPrompt() {
  const { Check, Prompt } = interactionPolicy
  const check = new Check('password_must_change', 'the password must be changed first', (ctx) => {
    const account = ctx.oidc.account as PortalAccount | undefined
    return account?.passwordMustChange ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
  })
  return new Prompt({ name: ownPassword, requestable: false }, check)
}
