import type { MessageKey } from '#contract/message-key.ts'
import type { SecondFactorKind } from '#contract/second-factors.ts'
import { signInMethods } from '#contract/sign-in-methods.ts'

/** A second factor in words. */
export const factorName = (kind: SecondFactorKind): MessageKey => signInMethods[kind].secondFactor
