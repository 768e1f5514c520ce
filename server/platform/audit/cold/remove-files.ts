import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import { plainClient } from '../../database/plain-client.ts'
import { writeAuditEvent } from '../audit.ts'
import { keptFrom } from '../retention.ts'
import { type ColdMonth, endOfMonth, readColdMonths } from './cold-months.ts'
import type { ColdOptions } from './cold-options.ts'
import { explainFolder } from './folder-problem.ts'

/** Removes the files of months of which nothing is kept any more. */
export async function removeOldFiles({ db, keys, now, log, settings }: ColdOptions): Promise<void> {
  const { change, signIn, unknownSignIn } = keptFrom(now, settings)
  const oldest = Math.min(change.getTime(), signIn.getTime(), unknownSignIn.getTime())
  for (const { month, statement } of await readColdMonths(plainClient(db), keys)) {
    if (!statement) {
      log.error({ month }, 'no key of this portal signed this month of cold storage: its file is left alone')
      continue
    }
    if (Math.max(endOfMonth(month).getTime(), Date.parse(statement.youngest)) > oldest) continue
    const outcome = await db.transaction().execute((trx) => removeMonth(trx, statement, settings.auditColdDir, now))
    if (outcome === 'removed') log.info({ month }, 'audit month removed from cold storage')
    if (outcome === 'missing')
      log.warn(
        { month, file: statement.file },
        'an audit month is too old, and its file is not in AUDIT_COLD_DIR: remove it where it is',
      )
  }
}

/** Where the file cannot be removed, the month stays without an event, and the next run tries again. */
async function removeMonth(
  trx: Db,
  { coldMonth: month, file, previous, last, sha256 }: ColdMonth,
  folder: string | undefined,
  now: Date,
): Promise<'removed' | 'missing' | 'by another process'> {
  const { rows } = await sql<{ found: boolean }>`select forget_cold_month(${month}, ${now}) as found`.execute(trx)
  if (!rows[0]?.found) return 'by another process'
  const wasThere = folder !== undefined && (await removeFile(folder, file))
  await writeAuditEvent(
    trx,
    {
      name: 'removeAuditMonth',
      target: { id: null, label: month },
      before: { coldFile: file, chainRows: last.seq - previous.seq, sha256 },
      after: wasThere ? {} : { coldFileMissing: true },
    },
    { requestId: 'audit-cold', now },
  )
  return wasThere ? 'removed' : 'missing'
}

async function removeFile(folder: string, file: string): Promise<boolean> {
  try {
    await rm(join(folder, file))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw explainFolder(error, folder, `${file} was not removed; the next run tries again.`)
  }
}
