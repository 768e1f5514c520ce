import { type Kysely, sql } from 'kysely'
import type { DB } from '../../database/database-types.ts'
import { plainClient } from '../../database/plain-client.ts'
import { erasedBySeq, readErasures } from '../erasures.ts'
import { type KeptFrom, keptFrom } from '../retention.ts'
import { checkLines } from './check-lines.ts'
import { readColdFile, writeColdFile } from './cold-file.ts'
import type { ColdOptions } from './cold-options.ts'
import { linesOfMonth, type RowsOfMonth } from './month-lines.ts'

/** A file that was written and read back. */
export interface WrittenMonth {
  sha256: string
  youngest: Date
  /** How many lists of erased events there were before the file was written. */
  erasures: number
}

/** Writes the file of a month and reads it back. @throws where it is not what the chain says */
export async function writeAndCheck(
  { db, keys, now, settings }: ColdOptions,
  part: string,
  next: RowsOfMonth,
  removed: KeptFrom,
): Promise<WrittenMonth> {
  const erasures = await countErasures(db)
  const client = plainClient(db)
  await writeColdFile(part, linesOfMonth(client, next, { keys, removed, kept: keptFrom(now, settings) }))
  const reading = readColdFile(part)
  const erased = erasedBySeq(await readErasures(client, keys))
  const { last, youngest } = await checkLines(reading.lines, { keys, previous: next.previous, erased })
  if (last.seq !== next.last.seq || last.hash !== next.last.hash)
    throw new Error(`the file of ${next.month} does not end with the last row of the month`)
  return { sha256: reading.sha256(), youngest, erasures }
}

async function countErasures(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select coalesce(max(number), 0) as count from audit_erasures`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
