import type { MessageKey } from '#contract/message-key.ts'
import type { SamlFailure } from '#contract/saml-sign-ins.ts'

/** What happened, and what to do about it. */
export const failureTexts: Record<SamlFailure, { failure: MessageKey; advice: MessageKey }> = {
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
  passive: { failure: 'samlFailurePassive', advice: 'samlAdvicePassive' },
}
