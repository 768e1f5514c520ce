import type { Db } from '#server/platform/database/database.ts'
import { consumeToken, issueToken } from '#server/platform/secrets/one-time-tokens.ts'
import type { Person } from '../people.repository.ts'

const purpose = 'samlTicket'
const lifetime = 60_000

interface CompanyTicket {
  /** The interaction that it completes. */
  uid: string
  /** The configuration of the company that answered. */
  samlConfigId: number
  accountId: string
  email: string
  authEpoch: number
}

/** Issues a ticket for a valid response. It lasts one minute, and only the browser of this interaction can use it. */
export const issueCompanyTicket = (
  db: Db,
  now: Date,
  { uid, samlConfigId, person }: { uid: string; samlConfigId: number; person: Person },
): Promise<string> => {
  const { accountId, email, authEpoch } = person
  const expiresAt = new Date(now.getTime() + lifetime)
  return issueToken(db, { purpose, subject: uid, now, expiresAt, data: { samlConfigId, accountId, email, authEpoch } })
}

/** Uses the ticket up, no matter which browser presents it. */
export async function redeemCompanyTicket(db: Db, now: Date, token: string): Promise<CompanyTicket | undefined> {
  const used = await consumeToken(db, { purpose, token, now })
  return used && { uid: used.subject, ...(used.data as unknown as Omit<CompanyTicket, 'uid'>) }
}
