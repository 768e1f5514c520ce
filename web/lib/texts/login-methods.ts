import { useTranslation } from 'react-i18next'
import type { LoginMethod } from '#contract/roles.ts'

const texts = {
  bankid: ['loginMethodBankid', 'loginMethodBankidHint'],
  local: ['loginMethodLocal', 'loginMethodLocalHint'],
  local2FA: ['loginMethodLocal2FA', 'loginMethodLocal2FAHint'],
  saml: ['loginMethodSaml', 'loginMethodSamlHint'],
} as const satisfies Record<LoginMethod, readonly [string, string]>

/** A login method as people call it. */
export function useLoginMethodName() {
  const { t } = useTranslation()
  return (method: LoginMethod) => t(texts[method][0])
}

/** All of them, to choose from. */
export function useLoginMethodChoices() {
  const { t } = useTranslation()
  return Object.entries(texts).map(([value, [label, hint]]) => ({ value, label: t(label), hint: t(hint) }))
}
