import type { MessageKey } from '#contract/message-key.ts'
import type { SamlConfigKind } from '#contract/saml-configs.ts'
import type { SamlFailure } from '#contract/saml-sign-ins.ts'

interface FailureText {
  failure: MessageKey
  advice: MessageKey
}

const ofSaml: Record<SamlFailure, FailureText> = {
  malformed: { failure: 'samlFailureMalformed', advice: 'samlAdviceMalformed' },
  declined: { failure: 'samlFailureDeclined', advice: 'samlAdviceDeclined' },
  encrypted: { failure: 'samlFailureEncrypted', advice: 'samlAdviceEncrypted' },
  signature: { failure: 'samlFailureSignature', advice: 'samlAdviceSignature' },
  issuer: { failure: 'samlFailureIssuer', advice: 'samlAdviceIssuer' },
  destination: { failure: 'samlFailureDestination', advice: 'samlAdviceDestination' },
  audience: { failure: 'samlFailureAudience', advice: 'samlAdviceAudience' },
  otherRequest: { failure: 'samlFailureOtherRequest', advice: 'samlAdviceOtherRequest' },
  clock: { failure: 'samlFailureClock', advice: 'samlAdviceClock' },
  sessionOver: { failure: 'samlFailureSessionOver', advice: 'samlAdviceSessionOver' },
  notReauthenticated: { failure: 'samlFailureNotReauthenticated', advice: 'samlAdviceNotReauthenticated' },
  replayed: { failure: 'samlFailureReplayed', advice: 'samlAdviceReplayed' },
  unsolicited: { failure: 'samlFailureUnsolicited', advice: 'samlAdviceUnsolicited' },
  late: { failure: 'samlFailureLate', advice: 'samlAdviceLate' },
  otherBrowser: { failure: 'samlFailureOtherBrowser', advice: 'samlAdviceOtherBrowser' },
  attributes: { failure: 'samlFailureAttributes', advice: 'samlAdviceAttributes' },
  unknownPerson: { failure: 'samlFailureUnknownPerson', advice: 'samlAdviceUnknownPerson' },
  notAllowed: { failure: 'samlFailureNotAllowed', advice: 'samlAdviceNotAllowed' },
  switchedOff: { failure: 'samlFailureSwitchedOff', advice: 'samlAdviceSwitchedOff' },
  unreachable: { failure: 'samlFailureUnreachable', advice: 'samlAdviceUnreachable' },
  clientRefused: { failure: 'samlFailureClientRefused', advice: 'samlAdviceClientRefused' },
  passive: { failure: 'samlFailurePassive', advice: 'samlAdvicePassive' },
}

/** Where OpenID Connect has other names for things. */
const ofOidc: Partial<Record<SamlFailure, Partial<FailureText>>> = {
  malformed: { advice: 'oidcAdviceMalformed' },
  signature: { advice: 'oidcAdviceSignature' },
  issuer: { failure: 'oidcFailureIssuer', advice: 'oidcAdviceIssuer' },
  audience: { advice: 'oidcAdviceAudience' },
  otherRequest: { advice: 'oidcAdviceOtherRequest' },
  notReauthenticated: { advice: 'oidcAdviceNotReauthenticated' },
  attributes: { advice: 'oidcAdviceAttributes' },
}

/** What happened, and what to do about it. */
export const failureText = (failure: SamlFailure, kind: SamlConfigKind): FailureText => ({
  ...ofSaml[failure],
  ...(kind === 'oidc' && ofOidc[failure]),
})
