import type { Db } from '#server/platform/database/database.ts'

interface Named {
  firstName: string | null
  lastName: string | null
}

const whole = ({ firstName, lastName }: Named): string | null => [firstName, lastName].filter(Boolean).join(' ') || null

/** Any uuid; a target may also have another id, or none. */
export const isUuid = (id: string | null): id is string => id !== null && /^[0-9a-f-]{36}$/i.test(id)

/** @returns the name of a person at a moment, also of one who is deleted; null for what is no person */
export async function namesAtTheTime(db: Db, ids: readonly (string | null)[]) {
  const accountIds = [...new Set(ids.filter(isUuid))]
  if (accountIds.length === 0) return () => null
  const present = await db
    .selectFrom('users')
    .select(['accountId', 'firstName', 'lastName'])
    .where('accountId', 'in', accountIds)
    .execute()
  const former = await db
    .selectFrom('formerNames')
    .select(['accountId', 'firstName', 'lastName', 'until'])
    .where('accountId', 'in', accountIds)
    .orderBy('until')
    .execute()
  return (id: string | null, moment: Date): string | null => {
    const own = former.filter(({ accountId }) => accountId === id)
    const then =
      own.find(({ until }) => until > moment) ?? present.find(({ accountId }) => accountId === id) ?? own.at(-1)
    return then ? whole(then) : null
  }
}
