import type { MessageKey } from '#contract/message-key.ts'
import { samlTextKeys } from '#web/lib/saml/saml-texts.ts'

/** What the server says of metadata, and of a link that was decided on. */
export const setupProblems = [
  'certificateNotUsable',
  'metadataNoRedirect',
  'metadataNotReadable',
  'setupDecided',
] as const satisfies readonly MessageKey[]

/** The texts of the page for the IT of an organisation: a part of its own, for the same reason. */
export const setupTextKeys = [
  ...samlTextKeys,
  ...setupProblems,
  'chooseMetadataFile',
  'entityId',
  'metadata',
  'readMetadata',
  'samlTestBegin',
  'samlTestFailed',
  'samlTestPassed',
  'samlUrl',
  'serviceProviderAcsUrl',
  'serviceProviderEntityId',
  'setupAdviceAttributes',
  'setupAdviceAudience',
  'setupAdviceClock',
  'setupAdviceDeclined',
  'setupAdviceDestination',
  'setupAdviceEncrypted',
  'setupAdviceIssuer',
  'setupAdviceMalformed',
  'setupAdviceRequest',
  'setupAdviceSignature',
  'setupApproved',
  'setupApprovedText',
  'setupChanged',
  'setupDownloadMetadata',
  'setupGuideHint',
  'setupHandIn',
  'setupHandInHint',
  'setupHandedIn',
  'setupHandedInText',
  'setupIntro',
  'setupMetadataHint',
  'setupMetadataRead',
  'setupNoDraft',
  'setupSentBack',
  'setupStepHandIn',
  'setupStepMetadata',
  'setupStepTest',
  'setupStepValues',
  'setupTestHint',
  'setupTestedAt',
  'setupTitle',
  'setupUntested',
] as const satisfies readonly MessageKey[]

export type SetupTextKey = (typeof setupTextKeys)[number]
