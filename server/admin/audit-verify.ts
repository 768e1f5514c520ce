import type { Kysely } from 'kysely'
import pg from 'pg'
import { keepVerdict } from '#server/platform/audit/audit-check.ts'
import { checkpointFingerprints } from '#server/platform/audit/checkpoint.ts'
import { verifyEverything } from '#server/platform/audit/cold/verify-everything.ts'
import { sealAuditEvents } from '#server/platform/audit/sealer.ts'
import { connectionTo } from '#server/platform/database/connect.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { sessionOptions } from '#server/platform/database/session-settings.ts'
import { type Command, UsageError } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '[--known <seq>:<hash>]',
  summary: 'recompute the hash chain of the audit log; --known is a head from the log of the server',
  options: { known: { type: 'string' } },
  async run({ config, values, say }) {
    const known = knownHead(values.known)
    return await withSystem({
      config,
      say,
      async work({ db, keys, clock }, { ownerUrl }) {
        await sealAuditEvents(db)
        const owner = new pg.Client({ ...connectionTo(ownerUrl), options: sessionOptions() })
        await owner.connect()
        const heads = known ? [known] : []
        const folder = config.auditColdDir
        const { cold, verdict } = await verifyEverything(owner, { known: heads, keys, folder }).finally(() =>
          owner.end(),
        )
        if (cold.read.length > 0) say(`Read from cold storage: ${cold.read.join(', ')}`)
        if (cold.unread.length > 0)
          say(
            `Not read, because the file is not in AUDIT_COLD_DIR: ${cold.unread.map(({ month }) => month).join(', ')}`,
          )
        if (cold.gaps.length > 0) say(`Rows of the chain that are in no month of cold storage: ${cold.gaps.join(', ')}`)
        await keepVerdict({ db, keys, now: clock() }, verdict)
        const removed = await lastRemoval(db)
        if (removed) say(removed)
        say(`Checkpoints of removed events are signed by the key ${checkpointFingerprints(keys)[0]}`)
        if (verdict.intact) {
          say(`The audit log is intact: ${verdict.head.seq} events, head ${verdict.head.seq}:${verdict.head.hash}`)
          return 0
        }
        const { seq, id, reason } = verdict
        say(`The audit log is broken at row ${seq}${id ? ` (${id})` : ''}: ${reason}`)
        return 1
      },
    })
  },
}

function knownHead(text: string | boolean | undefined) {
  if (text === undefined) return undefined
  const [, seq, hash] = /^([0-9]+):([0-9a-f]{64})$/.exec(String(text)) ?? []
  if (!seq || !hash) throw new UsageError('--known expects a row and its hash as logged, such as 17:9f86…')
  return { seq: Number(seq), hash }
}

/** When events were removed because of their age, and which. */
async function lastRemoval(db: Kysely<DB>): Promise<string | undefined> {
  const last = await db.selectFrom('auditCheckpoints').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst()
  if (!last) return undefined
  const day = (date: Date) => date.toISOString().slice(0, 10)
  return (
    `Old events were removed on ${day(last.createdAt)}, ${last.removed} of them: changes of before ${day(last.changeBefore)}, ` +
    `sign-ins of before ${day(last.signInBefore)}, those with unknown addresses of before ${day(last.unknownSignInBefore)}`
  )
}
