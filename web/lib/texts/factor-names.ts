import type { MessageKey } from '#contract/message-key.ts'
import type { SecondFactorKind } from '#contract/second-factors.ts'

/** Second factors in words. */
export const factorNames: Record<SecondFactorKind, MessageKey> = {
  passkey: 'factorPasskey',
  app: 'factorApp',
  sms: 'factorSms',
  email: 'factorEmail',
}
