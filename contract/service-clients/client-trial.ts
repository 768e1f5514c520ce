import * as z from 'zod/mini'
import { id, optionalText, text } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'

/** The steps of a trial, in order. */
export const trialSteps = ['request', 'token', 'idToken', 'userInfo', 'apiToken', 'refresh'] as const

/** What to do about a rule that failed; the web app has a text for each. */
export const trialAdvice = [
  'redirectUri',
  'noService',
  'scope',
  'target',
  'pkce',
  'secret',
  'ownKey',
  'opaque',
  'app',
  'signIn',
  'other',
] as const

export const trialStep = z.object({
  step: z.enum(trialSteps),
  outcome: z.enum(['passed', 'failed', 'skipped']),
  /** The provider's error and its description, or the rule that does not hold. */
  error: z.nullable(z.string()),
  advice: z.nullable(z.enum(trialAdvice)),
})
export type TrialStep = z.infer<typeof trialStep>

/** What a sign-in by this client gave; JSON is indented text. Of the tokens nothing is left that could be used. */
export const trial = z.object({
  /** False: the caller does not have the service, and entered on trial. Organisation and roles are missing then. */
  assigned: z.boolean(),
  /** The address of the authorization request. */
  request: z.string(),
  steps: z.array(trialStep),
  /** What the token endpoint answered, without the tokens. */
  tokens: z.nullable(z.string()),
  idToken: z.nullable(z.string()),
  userInfo: z.nullable(z.string()),
  /** Of a signed token for an API: header and claims, without the signature. */
  apiToken: z.nullable(z.string()),
})
export type Trial = z.infer<typeof trial>

/** What a service would send; what is left out is what the client has. */
export const trialForm = z.strictObject({
  redirectUri: z.optional(optionalText(2000)),
  scope: z.optional(text(500)),
  /** The API that the token is for (RFC 8707). */
  resource: z.optional(optionalText(500)),
  pkce: z._default(z.optional(z.boolean()), true),
})

const params = z.strictObject({ id })

export const clientTrials = {
  run: route('POST /api/services/{id}/client/try', {
    summary:
      'Signs the caller in by the client of a service, with or without having it, and says which rule fails; the tokens are revoked',
    access: 'manageServices',
    params,
    input: trialForm,
    answer: trial,
    atomic: false,
    audit: { atMost: ['tryClient'] },
  }),
  testLogout: route('POST /api/services/{id}/client/test-logout', {
    summary: 'Posts a logout token of a session that does not exist, and tells the status of the answer',
    access: 'manageServices',
    params,
    answer: z.object({ status: z.int() }),
    atomic: false,
    audit: { atMost: ['testClientLogout'] },
  }),
}
