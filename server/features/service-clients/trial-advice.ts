import type { TrialStep } from '#contract/service-clients/client-trial.ts'

/** What to do about an error of the provider, by what it begins with or says. The first that fits counts. */
const advice: readonly (readonly [RegExp, NonNullable<TrialStep['advice']>])[] = [
  [/redirect_uri/, 'redirectUri'],
  [/^access_denied/, 'noService'],
  [/^invalid_scope/, 'scope'],
  [/^invalid_target/, 'target'],
  [/PKCE|code_challenge|code_verifier/, 'pkce'],
  [/^invalid_client/, 'secret'],
  [/^(login|interaction|consent|account_selection)_required/, 'signIn'],
]

export const adviceFor = (error: string) => advice.find(([pattern]) => pattern.test(error))?.[1] ?? 'other'
