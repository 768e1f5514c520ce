import type pg from 'pg'
import type { Keys } from '../../secrets/keys.ts'
import type { AuditHead } from '../audit-chain.ts'
import { openStatement } from '../checkpoint.ts'

/** A month of the audit log that is in a file, as the portal signed it. */
export interface ColdMonth {
  /** Year and month, such as 2024-01. */
  coldMonth: string
  /** Its name in the folder. */
  file: string
  /** Of the file, in hex. */
  sha256: string
  /** The row before the first one of the file. */
  previous: AuditHead
  /** The last row of the file. */
  last: AuditHead
  /** The moment of the youngest event, in ISO 8601: the file is kept as long as this one. */
  youngest: string
}

/** The months that are in files, the oldest first. What no key of this portal signed has no statement. */
export async function readColdMonths(
  client: Pick<pg.ClientBase, 'query'>,
  keys: Keys,
): Promise<{ month: string; statement: ColdMonth | undefined }[]> {
  const { rows } = await client.query<{ month: string; signed: string }>(
    'select month, signed from audit_cold_months order by last_seq',
  )
  return Promise.all(
    rows.map(async ({ month, signed }) => {
      const opened = await openStatement(keys, signed)
      const statement =
        opened && 'coldMonth' in opened && opened.coldMonth === month ? (opened as unknown as ColdMonth) : undefined
      return { month, statement }
    }),
  )
}

/** The moment at which a month is over. */
export const endOfMonth = (month: string): Date => {
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + 1)
  return date
}
