import type { Db } from '#server/platform/database/database.ts'
import type { Limits } from '#server/platform/limits/limits.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Setup } from './saml-setups.repository.ts'

/**
 * Does what is mailed to the operator, with the mails or, beyond the limit, without them: by a link nobody floods anybody.
 * Lists and events have it in any case.
 */
export async function withMail<Result>(
  { db, limits, now }: { db: Db; limits: Limits; now: Date },
  { organizationId }: Setup,
  what: 'draft' | 'directory',
  work: (mails: boolean) => Promise<Result>,
): Promise<Result> {
  const keys = [{ name: 'setupMail', key: `${organizationId} ${what}` }] as const
  const mails = await limits.take(db, keys, now).then(() => true, refuseAllButLimits)
  try {
    return await work(mails)
  } catch (error) {
    if (mails) await limits.refund(db, keys, now).catch(() => undefined)
    throw error
  }
}

function refuseAllButLimits(error: unknown): false {
  if (error instanceof Problem && error.status === 429) return false
  throw error
}
