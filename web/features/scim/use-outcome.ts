import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import type { ScimDeed, ScimLogRow, ScimReason } from '#contract/scim/scim.ts'

const deedTexts: Record<ScimDeed, MessageKey> = {
  stored: 'scimDeedStored',
  changed: 'scimDeedChanged',
  unchanged: 'scimDeedUnchanged',
  removed: 'scimDeedRemoved',
  opened: 'scimDeedOpened',
  linked: 'scimDeedLinked',
  invited: 'scimDeedInvited',
  restored: 'scimDeedRestored',
  ended: 'scimDeedEnded',
  withdrawn: 'scimDeedWithdrawn',
  updated: 'scimDeedUpdated',
  moved: 'scimDeedMoved',
  waits: 'scimDeedWaits',
  unconfirmed: 'scimDeedUnconfirmed',
  untouched: 'scimDeedUntouched',
  lastAdmin: 'scimDeedLastAdmin',
  withoutPower: 'scimDeedWithoutPower',
  noSeat: 'scimDeedNoSeat',
  members: 'scimDeedMembers',
  holders: 'scimDeedHolders',
}

const reasonTexts: Record<ScimReason, MessageKey> = {
  unknown: 'scimReasonUnknown',
  wrongType: 'scimReasonWrongType',
  personalNumber: 'scimReasonPersonalNumber',
  grantsNothing: 'scimReasonGrantsNothing',
  notEditable: 'scimReasonNotEditable',
  invalidName: 'scimReasonInvalidName',
  invalidPhone: 'scimReasonInvalidPhone',
  addressKept: 'scimReasonAddressKept',
  unknownMember: 'scimReasonUnknownMember',
}

/** What a request led to, a line each: what was done, and what was left out and why. */
export function useOutcome() {
  const { t, i18n } = useTranslation()
  return ({ problem, deeds, notes }: ScimLogRow): string[] => [
    ...(problem && i18n.exists(problem) ? [t(problem as MessageKey)] : []),
    ...(deeds.length > 0 ? [deeds.map((deed) => t(deedTexts[deed])).join(' ')] : []),
    ...notes.map(({ attribute, reason }) => `${attribute}: ${t(reasonTexts[reason])}`),
  ]
}
