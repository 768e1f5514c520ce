import type { OwnInvitation } from '#contract/invitations/invitations.ts'
import { loginMethods } from '#contract/login-methods.ts'

const texts = Object.values(loginMethods).flatMap((method) => ('join' in method ? [method.join] : []))

/** What an organisation asks of somebody who joins it with an account. */
export const floorTexts = [...new Set(texts.flatMap(({ asks, cannot }) => [asks, cannot]))]

/** Undefined where the account's own sign-in method is enough. */
export function floorText({
  asksFor,
  canMeet,
}: Pick<OwnInvitation, 'asksFor' | 'canMeet'>): (typeof floorTexts)[number] | undefined {
  const method = asksFor && loginMethods[asksFor]
  return method && 'join' in method ? method.join[canMeet ? 'asks' : 'cannot'] : undefined
}
