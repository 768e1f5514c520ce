import type { MessageKey } from '#contract/message-key.ts'
import { type ClientRow, findClientForUpdate } from '#server/oidc/clients/client-rows.ts'
import { type AuditEntry, writeAuditEvent } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { translate } from '#server/platform/messages/texts.ts'
import { Problem } from '#server/platform/problem.ts'
import type { System } from '#server/platform/system.ts'
import { UsageError } from './command.ts'

/** Finds and locks a client. */
export async function lockClient(db: Db, clientId: string): Promise<ClientRow> {
  const row = await findClientForUpdate(db, clientId)
  if (!row) throw new UsageError(`there is no client ${clientId}`)
  return row
}

/** Writes the event of a change that a command makes. */
export const recordEvent = ({ clock }: Pick<System, 'clock'>, db: Db, event: AuditEntry) =>
  writeAuditEvent(db, event, { requestId: 'admin-command', now: clock() })

/** What an operator can mend is said in one line. */
export function asUsage(error: unknown): never {
  if (!(error instanceof Problem)) throw error
  const issues = (error.issues ?? []).map(({ path, message }) => `${path}: ${translate('en', message as MessageKey)}`)
  throw new UsageError(issues.join('; ') || translate('en', error.key))
}
