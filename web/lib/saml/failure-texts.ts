import type { SamlFailure } from '#contract/saml-configs/saml-sign-ins.ts'
import type { SamlTextKey } from './saml-texts.ts'

/** What happened, in words. */
export const failureTexts = {
  malformed: 'samlFailureMalformed',
  declined: 'samlFailureDeclined',
  authnFailed: 'samlFailureAuthnFailed',
  noAuthnContext: 'samlFailureNoAuthnContext',
  nameIdPolicy: 'samlFailureNameIdPolicy',
  requestDenied: 'samlFailureRequestDenied',
  encrypted: 'samlFailureEncrypted',
  signature: 'samlFailureSignature',
  issuer: 'samlFailureIssuer',
  destination: 'samlFailureDestination',
  audience: 'samlFailureAudience',
  otherRequest: 'samlFailureOtherRequest',
  clock: 'samlFailureClock',
  sessionOver: 'samlFailureSessionOver',
  notReauthenticated: 'samlFailureNotReauthenticated',
  authnContext: 'samlFailureAuthnContext',
  replayed: 'samlFailureReplayed',
  unsolicited: 'samlFailureUnsolicited',
  late: 'samlFailureLate',
  otherBrowser: 'samlFailureOtherBrowser',
  attributes: 'samlFailureAttributes',
  unknownPerson: 'samlFailureUnknownPerson',
  notAllowed: 'samlFailureNotAllowed',
  switchedOff: 'samlFailureSwitchedOff',
  unreachable: 'samlFailureUnreachable',
  clientRefused: 'samlFailureClientRefused',
  tooManyCreated: 'samlFailureTooManyCreated',
  passive: 'samlFailurePassive',
} as const satisfies Record<SamlFailure, SamlTextKey>
