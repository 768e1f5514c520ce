import type { Db } from '#server/platform/database.ts'
import { consume, issue } from '#server/platform/one-time.ts'
import type { Person } from '../people.repository.ts'

const purpose = 'samlTicket'
const lifetime = 60_000

interface SamlTicket {
  /** The interaction that it completes. */
  uid: string
  /** Of the company that answered. */
  samlConfigId: number
  accountId: string
  email: string
  authEpoch: number
}

/** Stands for an answer that was right, for one minute. Only the browser that has this interaction open can use it. */
export const giveSamlTicket = (
  db: Db,
  now: Date,
  { uid, samlConfigId, person }: { uid: string; samlConfigId: number; person: Person },
): Promise<string> => {
  const { accountId, email, authEpoch } = person
  const expiresAt = new Date(now.getTime() + lifetime)
  return issue(db, { purpose, subject: uid, now, expiresAt, data: { samlConfigId, accountId, email, authEpoch } })
}

/** Uses it up, whoever brings it. */
export async function redeemSamlTicket(db: Db, now: Date, token: string): Promise<SamlTicket | undefined> {
  const used = await consume(db, { purpose, token, now })
  return used && { uid: used.subject, ...(used.data as unknown as Omit<SamlTicket, 'uid'>) }
}
