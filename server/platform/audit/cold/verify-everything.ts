import type pg from 'pg'
import type { Keys } from '../../secrets/keys.ts'
import type { AuditHead } from '../audit-chain.ts'
import { type AuditVerdict, readStart, verifyAuditChain } from '../audit-verify.ts'
import { type ColdVerdict, verifyColdMonths } from './verify-cold.ts'

interface VerifyOptions {
  keys: Keys
  folder: string | undefined
  known: readonly AuditHead[]
}

/** Verifies the months in files, and that the chain in the database goes on from the last of them. */
export async function verifyEverything(
  client: pg.ClientBase,
  { keys, folder, known }: VerifyOptions,
): Promise<{ cold: ColdVerdict; verdict: AuditVerdict }> {
  const cold = await verifyColdMonths(client, { keys, folder, known })
  if (cold.fault) {
    const { month, seq, reason } = cold.fault
    return { cold, verdict: { intact: false, seq, id: undefined, reason: `${reason} (cold storage, ${month})` } }
  }
  const start = await readStart(client, keys)
  // The newest month may have been taken out of the table: nothing else shows that.
  if (cold.last && start && start.startSeq > cold.last.seq) cold.gaps.push(`${cold.last.seq + 1} to ${start.startSeq}`)
  const last = cold.last ? [cold.last] : []
  return { cold, verdict: await verifyAuditChain(client, { keys, known: [...known, ...last] }) }
}
