import type { MessageKey } from '#contract/message-key.ts'
import type { SamlFailure } from '#contract/saml-configs/saml-sign-ins.ts'

/** What a super user does about it. */
export const failureAdvice: Record<SamlFailure, MessageKey> = {
  malformed: 'samlAdviceMalformed',
  declined: 'samlAdviceDeclined',
  authnFailed: 'samlAdviceDeclined',
  noAuthnContext: 'samlAdviceAuthnContext',
  nameIdPolicy: 'samlAdviceNameIdPolicy',
  requestDenied: 'samlAdviceDeclined',
  encrypted: 'samlAdviceEncrypted',
  signature: 'samlAdviceSignature',
  issuer: 'samlAdviceIssuer',
  destination: 'samlAdviceDestination',
  audience: 'samlAdviceAudience',
  otherRequest: 'samlAdviceOtherRequest',
  clock: 'samlAdviceClock',
  sessionOver: 'samlAdviceSessionOver',
  notReauthenticated: 'samlAdviceNotReauthenticated',
  authnContext: 'samlAdviceAuthnContext',
  replayed: 'samlAdviceReplayed',
  unsolicited: 'samlAdviceUnsolicited',
  late: 'samlAdviceLate',
  otherBrowser: 'samlAdviceOtherBrowser',
  attributes: 'samlAdviceAttributes',
  unknownPerson: 'samlAdviceUnknownPerson',
  notAllowed: 'samlAdviceNotAllowed',
  switchedOff: 'samlAdviceSwitchedOff',
  unreachable: 'samlAdviceUnreachable',
  clientRefused: 'samlAdviceClientRefused',
  tooManyCreated: 'samlAdviceTooManyCreated',
  passive: 'samlAdvicePassive',
}
