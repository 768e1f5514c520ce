import type { MessageKey } from '#contract/message-key.ts'
import type { SignInMethod } from '#contract/roles.ts'

/** How a session was proven, in words. */
export const signInMethodTexts: Record<SignInMethod, MessageKey> = {
  password: 'loginMethodLocal',
  passwordAndEmailCode: 'methodPasswordAndEmailCode',
  passwordAndSmsCode: 'methodPasswordAndSmsCode',
  passwordAndApp: 'methodPasswordAndApp',
  passwordAndRecoveryCode: 'methodPasswordAndRecoveryCode',
  passwordAndPasskey: 'methodPasswordAndPasskey',
  passkey: 'methodPasskey',
  bankid: 'loginMethodBankid',
  saml: 'loginMethodSaml',
}
