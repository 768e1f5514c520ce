import { interactionPolicy } from 'oidc-provider'

/**
 * `prompt=select_account` (OpenID Connect Core, 3.1.2.1) is a sign-in: its first step has the e-mail address of this session, which
 * can be changed. A browser has one session, so there is no list to choose from.
 */
export function addSelectAccount(policy: interactionPolicy.DefaultPolicy): void {
  const { Check, Prompt } = interactionPolicy
  const check = new Check('select_account', 'an account must be selected', 'account_selection_required', ({ oidc }) =>
    oidc.prompts.has('select_account') && !oidc.result?.login ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  )
  policy.get('login')?.checks.add(check)
  // Makes the value known; the library's own check asks for a result of this name.
  const prompt = new Prompt({ name: 'select_account', requestable: true })
  prompt.checks.clear()
  policy.add(prompt)
}
