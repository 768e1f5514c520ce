import { interactionPolicy } from 'oidc-provider'
import type { PortalAccount } from '../accounts.ts'

/** The prompt of a person who does something in the portal before using any service. */
export const ownAccount = 'own_account'

/** Changes a password that an admin chose, or chooses a second factor after the earlier ones were taken off. */
export function ownAccountPrompt() {
  const { Check, Prompt } = interactionPolicy
  const check = (must: 'passwordMustChange' | 'mustEnrol', reason: string, description: string) =>
    new Check(reason, description, 'interaction_required', (ctx) =>
      (ctx.oidc.account as PortalAccount | undefined)?.[must] ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    )
  return new Prompt(
    { name: ownAccount, requestable: false },
    check('passwordMustChange', 'password_must_change', 'the password must be changed first'),
    check('mustEnrol', 'second_factor_required', 'a second factor must be chosen first'),
  )
}
