import type { MessageKey } from '#contract/message-key.ts'
import type { SignInMethod } from '#contract/roles.ts'

/** How a session was proven, in words. */
export const signInMethodTexts: Record<SignInMethod, MessageKey> = {
  password: 'loginMethodLocal',
  passwordAndEmailCode: 'methodPasswordAndEmailCode',
  passwordAndSmsCode: 'methodPasswordAndSmsCode',
  bankid: 'loginMethodBankid',
  saml: 'loginMethodSaml',
}
