import { verifyAuditChain } from '#server/platform/audit/audit-verify.ts'
import { sealAuditEvents } from '#server/platform/audit/sealer.ts'
import { backgroundTimeout, openDatabase } from '#server/platform/database/database.ts'
import { prepareDatabase } from '#server/prepare-database.ts'
import { type Command, UsageError } from './command.ts'

export const command: Command = {
  usage: '[--known <seq>:<hash>]',
  summary: 'recompute the hash chain of the audit log; --known is a head from the log of the server',
  options: { known: { type: 'string' } },
  async run({ config, values, say }) {
    const known = knownHead(values.known)
    const database = await prepareDatabase(config, say)
    const { db, pool, close } = openDatabase({ url: database.ownerUrl, size: 1, statementTimeout: backgroundTimeout })
    try {
      await sealAuditEvents(db)
      const client = await pool.connect()
      const verdict = await verifyAuditChain(client, { known }).finally(() => client.release())
      if (verdict.intact) {
        say(`The audit log is intact: ${verdict.head.seq} events, head ${verdict.head.seq}:${verdict.head.hash}`)
        return 0
      }
      const { seq, id, reason } = verdict
      say(`The audit log is broken at row ${seq}${id ? ` (${id})` : ''}: ${reason}`)
      return 1
    } finally {
      await close()
      await database.stop()
    }
  },
}

function knownHead(text: string | boolean | undefined) {
  if (text === undefined) return undefined
  const [, seq, hash] = /^([0-9]+):([0-9a-f]{64})$/.exec(String(text)) ?? []
  if (!seq || !hash) throw new UsageError('--known expects a row and its hash as logged, such as 17:9f86…')
  return { seq: Number(seq), hash }
}
