import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { requireNewPassword } from './passwords.repository.ts'
import type { Person } from './people.repository.ts'

/**
 * Has the owner of a password that has leaked since choose another one after the sign-in. Nobody is locked out, and a failure
 * here refuses no sign-in: the next one looks again.
 */
export async function checkForLeak(
  { db, leakedPasswords, now, http }: Pick<RequestContext, 'db' | 'leakedPasswords' | 'now' | 'http'>,
  person: Person,
  password: string,
): Promise<void> {
  const { accountId, email, passwordHash } = person
  try {
    if (!(await leakedPasswords.has(password))) return
    await inTransaction(db, async (trx) => {
      if (!(await requireNewPassword(trx, { accountId, passwordHash }))) return
      const target = { id: accountId, label: email }
      // Nobody else is to know that the password of an account is in a list.
      const entry = { name: 'findLeakedPassword', actor: null, target, organizationIds: [] } as const
      await writeAuditEvent(trx, entry, { requestId: http.request.id, now })
    })
  } catch (err) {
    http.request.log.warn({ err }, 'a password could not be compared with the leaked ones')
  }
}
