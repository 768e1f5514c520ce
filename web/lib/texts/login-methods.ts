import { useTranslation } from 'react-i18next'
import { type LoginMethod, loginMethods } from '#contract/login-methods.ts'

/** A login method as people call it. */
export function useLoginMethodName() {
  const { t } = useTranslation()
  return (method: LoginMethod) => t(loginMethods[method].label)
}

/** All of them, to choose from. */
export function useLoginMethodChoices() {
  const { t } = useTranslation()
  return Object.entries(loginMethods).map(([value, { label, hint }]) => ({ value, label: t(label), hint: t(hint) }))
}
