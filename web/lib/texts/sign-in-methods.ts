import type { MessageKey } from '#contract/message-key.ts'
import { allMethods, type SignInMethod } from '#contract/sign-in-methods.ts'

/** How a session was proven, in words. */
export const signInMethodTexts = Object.fromEntries(
  allMethods.map(([, { signIn }]) => [signIn.name, signIn.label]),
) as Record<SignInMethod, MessageKey>
