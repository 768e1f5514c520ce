import type { Person } from '#server/credentials/people.repository.ts'
import type { Db } from '#server/platform/database/database.ts'
import { consumeToken, issueToken } from '#server/platform/secrets/one-time-tokens.ts'

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
  /** The person had to authenticate again there. */
  again: boolean
  /** Lookup indexes of the personal number that the company has proven. */
  ssnIndexes?: string[]
}

interface Issued extends Pick<CompanyTicket, 'uid' | 'samlConfigId' | 'again'> {
  person: Person
  ssnIndexes: CompanyTicket['ssnIndexes'] | undefined
}

/** Issues a ticket for a valid response. It lasts one minute, and only the browser of this interaction can use it. */
export const issueCompanyTicket = (
  db: Db,
  now: Date,
  { uid, samlConfigId, again, person, ssnIndexes }: Issued,
): Promise<string> => {
  const { accountId, email, authEpoch } = person
  const expiresAt = new Date(now.getTime() + lifetime)
  const data = { samlConfigId, again, accountId, email, authEpoch, ...(ssnIndexes && { ssnIndexes }) }
  return issueToken(db, { purpose, subject: uid, now, expiresAt, data })
}

/** Uses the ticket up, no matter which browser presents it. */
export async function redeemCompanyTicket(db: Db, now: Date, token: string): Promise<CompanyTicket | undefined> {
  const used = await consumeToken(db, { purpose, token, now })
  return used && { uid: used.subject, ...(used.data as unknown as Omit<CompanyTicket, 'uid'>) }
}
