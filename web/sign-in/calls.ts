import type { invitations } from '#contract/invitations.ts'
import type { passwordResets } from '#contract/password-reset.ts'
import type { Issue, ProblemBody } from '#contract/problem.ts'
import type { AnswerOf, InputOf } from '#contract/route.ts'
import type { secondFactor } from '#contract/second-factor.ts'
import type { signIn } from '#contract/sign-in.ts'

// The contract's declarations bring their schemas along, 10 KB that would break this entry's budget. So it takes the
// types alone, and calls.test.ts holds these addresses to the contract.

/** How an address signs in. */
export const findAuthType = (email: string): Promise<AnswerOf<typeof signIn.authType>> =>
  call('GET', `/api/authType?email=${encodeURIComponent(email)}`)

/** @throws CallFailed with the reason why these would not sign anybody in */
export const verifyCredentials = (credentials: InputOf<typeof signIn.verifyCredentials>): Promise<void> =>
  call('POST', '/api/verify-credentials', credentials)

/** @throws CallFailed with the reason why no code is on its way */
export const startSecondFactor = (credentials: InputOf<typeof secondFactor.start>): Promise<void> =>
  call('POST', '/api/start-2fa-login', credentials)

/** @throws CallFailed with the reason why these would not sign anybody in */
export const verifySecondFactor = (credentials: InputOf<typeof secondFactor.verify>): Promise<void> =>
  call('POST', '/api/verify-credentials-2fa', credentials)

/** How far the code that this browser asked for has come. */
export const findCodeDelivery = (): Promise<AnswerOf<typeof secondFactor.delivery>> => call('GET', '/api/2fa-delivery')

export const requestPasswordReset = (form: InputOf<typeof passwordResets.request>): Promise<void> =>
  call('POST', '/api/initiate-password-reset', form)

/** @throws CallFailed `resetLinkInvalid` for a link that does not work any more */
export const findPasswordReset = (token: string): Promise<AnswerOf<typeof passwordResets.find>> =>
  call('GET', `/api/reset-password/${encodeURIComponent(token)}`)

/** @throws CallFailed with what is wrong, by field */
export const resetPassword = (form: InputOf<typeof passwordResets.reset>): Promise<void> =>
  call('POST', '/api/reset-password', form)

/** @throws CallFailed `invitationInvalid` for a link that does not work any more */
export const findInvitation = (token: string): Promise<AnswerOf<typeof invitations.find>> =>
  call('GET', `/api/invites?token=${encodeURIComponent(token)}`)

/** @throws CallFailed with what is wrong, by field */
export const acceptInvitation = (form: InputOf<typeof invitations.accept>): Promise<void> =>
  call('POST', '/api/invites/accept', form)

/** A call that was answered with a failure, or not at all. */
export class CallFailed extends Error {
  /** Seconds until another try is worth it. */
  readonly wait: number | undefined
  /** What is wrong, by field. */
  readonly issues: readonly Issue[]

  constructor(key: string, wait?: number, issues: readonly Issue[] = []) {
    super(key)
    this.name = 'CallFailed'
    this.wait = wait
    this.issues = issues
  }
}

/** @throws CallFailed with the reason, `networkError` when there was no answer */
export async function call<Answer>(
  method: 'GET' | 'POST',
  url: string,
  input?: object,
  options?: Pick<RequestInit, 'signal' | 'keepalive'>,
): Promise<Answer> {
  const response = await fetch(url, {
    ...options,
    method,
    ...(input && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) }),
  }).catch(() => {
    throw new CallFailed('networkError')
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok && (body !== undefined || response.status === 204)) return body as Answer
  const wait = Number(response.headers.get('retry-after'))
  throw new CallFailed(messageOf(body) ?? 'genericErrorMessage', wait > 0 ? wait : undefined, issuesOf(body))
}

function messageOf(body: unknown): string | undefined {
  const message = (body as Partial<ProblemBody> | null | undefined)?.message
  return typeof message === 'string' ? message : undefined
}

function issuesOf(body: unknown): readonly Issue[] {
  const issues = (body as Partial<ProblemBody> | null | undefined)?.issues
  return Array.isArray(issues) ? issues : []
}
