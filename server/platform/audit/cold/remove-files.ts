import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { plainClient } from '../../database/plain-client.ts'
import { keptFrom } from '../retention.ts'
import { endOfMonth, readColdMonths } from './cold-months.ts'
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
    const { auditColdDir: folder } = settings
    const wasThere = await db.transaction().execute(async (trx) => {
      await sql`select forget_cold_month(${month})`.execute(trx)
      return folder !== undefined && (await removeFile(folder, statement.file))
    })
    if (wasThere) log.info({ month }, 'audit month removed from cold storage')
    else
      log.warn(
        { month, file: statement.file },
        'an audit month is too old, and its file is not in AUDIT_COLD_DIR: remove it where it is',
      )
  }
}

async function removeFile(folder: string, file: string): Promise<boolean> {
  try {
    await rm(join(folder, file))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw explainFolder(error, folder)
  }
}
