import type { SamlConfigKind } from '#contract/saml-configs/saml-configs.ts'
import type { SaySaml } from '#web/lib/saml/saml-texts.ts'
import type { SetupTextKey } from '../frame/setup-text-keys.ts'
import type { StepProps } from './step.tsx'

/** Texts that differ for OpenID Connect. */
const ofOidc: Partial<Record<string, SetupTextKey>> = {
  samlFailureIssuer: 'oidcFailureIssuer',
  samlGuideStepFetch: 'oidcGuideStepSend',
  samlTestAudience: 'oidcTestAudience',
  samlTestReceivedIssuer: 'issuer',
  samlTestReceivedNameId: 'oidcTestReceivedSub',
  samlTestSignature: 'oidcTestSignature',
}

/** The texts, as they are for this protocol. */
export const sayOfKind =
  (say: StepProps['say'], kind: SamlConfigKind): SaySaml =>
  (key, values) =>
    say((kind === 'oidc' ? ofOidc[key] : undefined) ?? key, values)
