import { sql } from 'kysely'
import { takingNumber } from '#server/accounts/taken-number.repository.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Whether neither an account nor an invitation of somebody else has the address. */
export async function isAddressFree(db: Db, email: string): Promise<boolean> {
  const { rows } = await sql`
    select from users where email = ${email} union all select from invitations where email = ${email} limit 1`.execute(
    db,
  )
  return rows.length === 0
}

interface PersonChange {
  firstName?: string | null
  lastName?: string | null
  phoneNumber?: string | null
  email?: string
}

/** Changes an account by the word of a directory. Another address has to be proven again, and is no way past a factor. */
export const writePerson = (db: Db, accountId: string, { phoneNumber, email, ...names }: PersonChange, now: Date) =>
  db
    .updateTable('users')
    .set({
      ...names,
      ...(phoneNumber !== undefined && {
        ...{ phoneNumber, phoneClaim: 'admin' as const, phoneEnteredAt: now },
        ...takingNumber({ phoneNumber }),
      }),
      ...(email !== undefined && { email, emailProof: null, emailProvenAt: null, passwordFromMail: true }),
      version: sql`version + 1`,
    })
    .where('accountId', '=', accountId)
    .execute()
