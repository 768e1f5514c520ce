import type { invitations } from '#contract/invitations/invitations.ts'
import type { passwordResets } from '#contract/password-reset/password-reset.ts'
import type { AnswerOf, InputOf } from '#contract/route.ts'
import type { openDirectorySetups } from '#contract/saml-setups/directory-setups.ts'
import type { openSetups, openSetupTests } from '#contract/saml-setups/open-setups.ts'
import type { session } from '#contract/session/session.ts'
import type { secondFactor } from '#contract/sign-in/second-factor.ts'
import type { signIn, signOut } from '#contract/sign-in/sign-in.ts'
import { ApiProblem, brokenCall } from '#web/lib/requests/api-problem.ts'
import { type RequestOptions, request } from '#web/lib/requests/request.ts'

// The declarations of the contract bring their schemas along, more than this entry's budget has room for. So it takes
// their types alone, and calls.test.ts checks these addresses against the contract (decision 0031).

/** How an address signs in. */
export const findAuthType = (email: string): Promise<AnswerOf<typeof signIn.authType>> =>
  call('GET', `/api/authType?email=${encodeURIComponent(email)}`)

/** @throws ApiProblem with the reason why these do not sign in */
export const verifyCredentials = (credentials: InputOf<typeof signIn.verifyCredentials>): Promise<void> =>
  call('POST', '/api/verify-credentials', credentials)

/** @throws ApiProblem with the reason why no code was sent */
export const startSecondFactor = (credentials: InputOf<typeof secondFactor.start>): Promise<void> =>
  call('POST', '/api/start-2fa-login', credentials)

/** @throws ApiProblem with the reason why these do not sign in */
export const verifySecondFactor = (credentials: InputOf<typeof secondFactor.verify>): Promise<void> =>
  call('POST', '/api/verify-credentials-2fa', credentials)

/** What is asked for after the password, and which other factors the person has. */
export const findChoices = (): Promise<AnswerOf<typeof secondFactor.choices>> => call('GET', '/api/2fa-factors')

/** The delivery status of the code that this browser asked for. */
export const findCodeDelivery = (): Promise<AnswerOf<typeof secondFactor.delivery>> => call('GET', '/api/2fa-delivery')

export const requestPasswordReset = (form: InputOf<typeof passwordResets.request>): Promise<void> =>
  call('POST', '/api/initiate-password-reset', form)

/** @throws ApiProblem `resetLinkInvalid` for a link that no longer works */
export const findPasswordReset = (token: string): Promise<AnswerOf<typeof passwordResets.find>> =>
  call('GET', `/api/reset-password/${encodeURIComponent(token)}`)

/** @throws ApiProblem with the issues of its fields */
export const resetPassword = (form: InputOf<typeof passwordResets.reset>): Promise<void> =>
  call('POST', '/api/reset-password', form)

/** @throws ApiProblem `invitationInvalid` for a link that no longer works */
export const findInvitation = (token: string): Promise<AnswerOf<typeof invitations.find>> =>
  call('GET', `/api/invites?token=${encodeURIComponent(token)}`)

/** @throws ApiProblem with the issues of its fields */
export const acceptInvitation = (form: InputOf<typeof invitations.accept>): Promise<void> =>
  call('POST', '/api/invites/accept', form)

/** Accepts an invitation for the person who is signed in. @throws ApiProblem `signInRequired` after the session has ended */
export const joinByLink = (form: InputOf<typeof invitations.joinByLink>): Promise<void> =>
  call('POST', '/api/invites/join', form)

/** @throws ApiProblem as of accepting */
export const declineByLink = (form: InputOf<typeof invitations.declineByLink>): Promise<void> =>
  call('POST', '/api/invites/decline', form)

/** @throws ApiProblem `setupLinkInvalid` for a link that no longer works */
export const findSetup = (form: InputOf<typeof openSetups.find>): Promise<AnswerOf<typeof openSetups.find>> =>
  call('POST', '/api/saml-setup', form)

/** @throws ApiProblem with what the metadata lacks */
export const giveMetadata = (
  form: InputOf<typeof openSetups.readMetadata>,
): Promise<AnswerOf<typeof openSetups.readMetadata>> => call('POST', '/api/saml-setup/metadata', form)

/** @throws ApiProblem where nothing usable is there */
export const giveMetadataAddress = (
  form: InputOf<typeof openSetups.fetchMetadata>,
): Promise<AnswerOf<typeof openSetups.fetchMetadata>> => call('POST', '/api/saml-setup/metadata-address', form)

/** @throws ApiProblem with the issues of its fields */
export const giveProvider = (
  form: InputOf<typeof openSetups.giveProvider>,
): Promise<AnswerOf<typeof openSetups.giveProvider>> => call('POST', '/api/saml-setup/oidc', form)

/** @returns the address of the identity provider, to go to */
export const beginSetupTest = (
  form: InputOf<typeof openSetupTests.begin>,
): Promise<AnswerOf<typeof openSetupTests.begin>> => call('POST', '/api/saml-setup/test', form)

/** @throws ApiProblem `changedByOthers` where the draft was replaced meanwhile */
export const handInSetup = (form: InputOf<typeof openSetups.handIn>): Promise<AnswerOf<typeof openSetups.handIn>> =>
  call('POST', '/api/saml-setup/hand-in', form)

/** Whether the directory has called. @throws ApiProblem as of finding */
export const findSetupDirectory = (
  form: InputOf<typeof openDirectorySetups.read>,
): Promise<AnswerOf<typeof openDirectorySetups.read>> => call('POST', '/api/saml-setup/directory', form)

/** @throws ApiProblem `tooManyScimTokens` */
export const createSetupToken = (
  form: InputOf<typeof openDirectorySetups.createToken>,
): Promise<AnswerOf<typeof openDirectorySetups.createToken>> => call('POST', '/api/saml-setup/directory/tokens', form)

/** @throws ApiProblem where this browser has proven no password, or the account has no key */
export const findKeyOptions = (): Promise<AnswerOf<typeof secondFactor.passkeyOptions>> =>
  call('POST', '/api/2fa-passkey', {})

/** @throws ApiProblem `passkeyRefused` */
export const verifySecondKey = (form: InputOf<typeof secondFactor.verifyPasskey>): Promise<void> =>
  call('POST', '/api/verify-credentials-passkey', form)

/** @returns the services of this browser's last sign-out */
export const findToldServices = (): Promise<AnswerOf<typeof signOut.toldServices>> =>
  call('GET', '/signed-out/services')

/** @returns who is signed in in this browser, if anyone */
export const findSignedIn = (): Promise<AnswerOf<typeof session.me> | undefined> =>
  call<AnswerOf<typeof session.me>>('GET', '/api/me').catch((error: unknown) => {
    if (error instanceof ApiProblem && error.message === 'signInRequired') return undefined
    throw error
  })

/** @throws ApiProblem with the reason; status 0 and `networkError` where no answer came */
export async function call<Answer>(
  method: 'GET' | 'POST',
  url: string,
  input?: object,
  options?: Pick<RequestOptions, 'signal' | 'keepalive'>,
): Promise<Answer> {
  const response = await request(method, url, { ...options, input })
  if (response.status === 204) return undefined as Answer
  return response.json().catch(() => {
    throw brokenCall(response.status)
  })
}
