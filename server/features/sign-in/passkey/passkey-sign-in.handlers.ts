import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields/fields.ts'
import { type UsedCredential, usedCredential } from '#contract/passkeys/credentials.ts'
import type { passkeySignIn } from '#contract/sign-in/passkey-sign-in.ts'
import { findSignInChallenge } from '#server/credentials/passkeys/challenges.ts'
import { takePasskey } from '#server/credentials/take-passkey.ts'
import { findInteraction, isOwnInteraction } from '#server/oidc/interactions.ts'
import { restartSignIn } from '#server/oidc/restart-sign-in.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { Problem } from '#server/platform/problem.ts'
import { finishSignIn } from '../finish-sign-in.ts'

export const passkeySignInHandlers: Handlers<typeof passkeySignIn> = { complete: (context) => complete(context) }

/** Handles the form that completes a sign-in with a passkey alone. @returns where the browser goes, also after an error */
async function complete(context: RequestContext<typeof passkeySignIn.complete>): Promise<string> {
  const { keys, params, input, http } = context
  const { uid } = params
  const typed = z.safeParse(emailField, input.email ?? '').data
  if (!isOwnInteraction(context, http.request, uid)) return restartSignIn(context, uid, typed)
  if (!(await findInteraction(context, http.request, uid))) return restartSignIn(context, uid, typed, 'signInOver')
  const back = (error: string) =>
    `/interaction/${uid}?${new URLSearchParams({ ...(typed !== undefined && { email: typed }), error })}`
  const credential = readCredential(input.credential)
  if (!credential) return back('passkeyRefused')
  try {
    const challenge = findSignInChallenge(keys, uid, credential)
    const proven = await takePasskey(context, { credential, challenge, as: 'alone', uid })
    return proven ? await finishSignIn(context, proven) : back('passkeyRefused')
  } catch (error) {
    if (!(error instanceof Problem) || error.status === 503) throw error
    return back(error.key)
  }
}

function readCredential(json: string | undefined): UsedCredential | undefined {
  try {
    return z.safeParse(usedCredential, JSON.parse(json ?? '')).data
  } catch {
    return undefined
  }
}
