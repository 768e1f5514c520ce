import { useTranslation } from 'react-i18next'
import type { SaySaml } from './saml-texts.ts'

/** The shared texts in the app's language. */
export function useSay(): SaySaml {
  const { t } = useTranslation()
  return (key, values) => t(key, { ...values })
}
