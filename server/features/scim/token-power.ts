import { Problem } from '#server/platform/problem.ts'
import type { Work } from './admit-person.ts'
import { hasRights } from './token-power.repository.ts'

/**
 * A token that nobody answers for any more changes nobody with more rights than a member (product-rules 15.10). Without an answer
 * the directory would take what it asked for as done; it tries again, and gets through once an admin has confirmed the token.
 *
 * @throws Problem 403 `scimTokenUnconfirmed`
 */
export async function refuseAboveToken(
  { db, stands }: Pick<Work, 'db' | 'stands'>,
  people: { organizationId: string; accountIds: readonly string[] },
): Promise<void> {
  if (!stands && (await hasRights(db, people))) throw tokenUnconfirmed()
}

export const tokenUnconfirmed = () => new Problem(403, 'scimTokenUnconfirmed')
