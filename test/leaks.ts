import { readAllRows } from './all-rows.ts'
import { chosenPassword, testPassword } from './people.ts'

/** Twelve digits that are a day of birth and four more. */
const ssn = /(?<![0-9a-f-])(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{4}(?![0-9a-f-])/i
const phoneNumber = /\+46[0-9]{7,13}/
const secrets = [testPassword, chosenPassword]
/** Also as PostgreSQL writes binary columns, so that an unsealed one would be found. */
const written = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('hex')])

const secretIn = (text: string) => written.find((secret) => text.includes(secret))
const matchIn = (text: string) => secretIn(text) ?? ssn.exec(text)?.[0]

/**
 * Looks for passwords and personal numbers in every table, outbox included, and in the log, and for phone numbers in the
 * audit log and the log.
 *
 * @returns where they stand
 */
export async function findLeaks(ownerUrl: string, logged: readonly Record<string, unknown>[]): Promise<string[]> {
  const leaks: string[] = []
  for (const { table, row } of await readAllRows(ownerUrl)) {
    const found = matchIn(row) ?? (table === 'audit_events' ? phoneNumber.exec(row)?.[0] : undefined)
    if (found) leaks.push(`${found} in ${table}: ${row.slice(0, 500)}`)
  }
  for (const line of logged) {
    const text = JSON.stringify(line)
    const found = matchIn(text) ?? phoneNumber.exec(text)?.[0]
    if (found) leaks.push(`${found} in the log: ${text.slice(0, 500)}`)
  }
  return leaks
}
