import type { MessageKey } from '#contract/message-key.ts'
import type { MetadataWarning } from './saml-metadata.ts'

/** What is said of a warning; each names its `detail`. Apart from the schemas, which the sign-in pages do not load. */
export const metadataWarningTexts = {
  expired: 'metadataWarningExpired',
  weakKey: 'metadataWarningWeakKey',
  unreadable: 'metadataWarningUnreadable',
  unknownUse: 'metadataWarningUnknownUse',
} as const satisfies Record<MetadataWarning['kind'], MessageKey>
