import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import type { SamlConfigKind } from '#contract/saml-configs/saml-configs.ts'
import type { SaySaml } from '#web/lib/saml/saml-texts.ts'
import { useSay } from '#web/lib/saml/use-say.ts'

/** Texts that differ for OpenID Connect. */
const ofOidc: Partial<Record<MessageKey, MessageKey>> = {
  samlFailureIssuer: 'oidcFailureIssuer',
  samlAdviceAttributes: 'oidcAdviceAttributes',
  samlAdviceAudience: 'oidcAdviceAudience',
  samlAdviceIssuer: 'oidcAdviceIssuer',
  samlAdviceMalformed: 'oidcAdviceMalformed',
  samlAdviceNotReauthenticated: 'oidcAdviceNotReauthenticated',
  samlAdviceOtherRequest: 'oidcAdviceOtherRequest',
  samlAdviceSignature: 'oidcAdviceSignature',
  samlGuideStepFetch: 'oidcGuideStepSend',
  samlTestAudience: 'oidcTestAudience',
  samlTestReceivedIssuer: 'issuer',
  samlTestReceivedNameId: 'oidcTestReceivedSub',
  samlTestSignature: 'oidcTestSignature',
}

/** The text of this kind of configuration. */
export const keyOfKind = (key: MessageKey, kind: SamlConfigKind): MessageKey =>
  (kind === 'oidc' ? ofOidc[key] : undefined) ?? key

/** The shared texts, as they are for this kind. */
export function useSayOfKind(kind: SamlConfigKind): SaySaml {
  const { t } = useTranslation()
  const say = useSay()
  return (key, values) => {
    const own = kind === 'oidc' ? ofOidc[key] : undefined
    return own ? t(own, { ...values }) : say(key, values)
  }
}
