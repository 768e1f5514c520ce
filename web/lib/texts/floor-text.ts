import type { OwnInvitation } from '#contract/invitations/invitations.ts'
import type { MessageKey } from '#contract/message-key.ts'

/** What an organisation asks of somebody who joins it with an account. */
export const floorTexts = [
  'guestsOnly',
  'joinAsksForBankId',
  'joinAsksForCode',
  'joinCannotBankId',
] as const satisfies readonly MessageKey[]

/** Undefined where the account's own sign-in method is enough. */
export function floorText({
  asksFor,
  canMeet,
}: Pick<OwnInvitation, 'asksFor' | 'canMeet'>): (typeof floorTexts)[number] | undefined {
  if (asksFor === 'saml') return 'guestsOnly'
  if (asksFor === 'local2FA') return 'joinAsksForCode'
  if (asksFor === 'bankid') return canMeet ? 'joinAsksForBankId' : 'joinCannotBankId'
  return undefined
}
