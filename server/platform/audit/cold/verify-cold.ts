import { join } from 'node:path'
import type pg from 'pg'
import type { Keys } from '../../secrets/keys.ts'
import type { AuditHead } from '../audit-chain.ts'
import { erasedBySeq, readErasures } from '../erasures.ts'
import { ColdFault, checkLines } from './check-lines.ts'
import { readColdFile } from './cold-file.ts'
import { type ColdMonth, readColdMonths } from './cold-months.ts'

interface VerifyOptions {
  keys: Keys
  /** Where the files are; undefined where they are not at hand. */
  folder: string | undefined
  /** Heads that were logged earlier. */
  known?: readonly AuditHead[]
}

/** What a check of the months in files has found. */
export interface ColdVerdict {
  /** Months of which every row was read. */
  read: string[]
  /** Months whose file is not there: the chain goes from the month before to the one after by what is signed. */
  unread: { month: string; file: string }[]
  /** Rows between two months, or after the last one, as "9 to 10": of these nothing was read, here or in the database. */
  gaps: string[]
  /** The last row of the last month; the chain in the database goes through it. */
  last: AuditHead | undefined
  fault?: { month: string; seq: number; reason: string }
}

/** Verifies the months of the audit log that are in files, one after the other. */
export async function verifyColdMonths(
  client: Pick<pg.ClientBase, 'query'>,
  { keys, folder, known = [] }: VerifyOptions,
): Promise<ColdVerdict> {
  const verdict: ColdVerdict = { read: [], unread: [], gaps: [], last: undefined }
  const erased = erasedBySeq(await readErasures(client, keys))
  const knownAt = new Map(known.map(({ seq, hash }) => [seq, hash]))
  for (const { month, statement } of await readColdMonths(client, keys)) {
    const fault = (seq: number, reason: string) => ({ ...verdict, fault: { month, seq, reason } })
    if (!statement) return fault((verdict.last?.seq ?? 0) + 1, 'no key of this portal signed this month')
    const { previous, last, file } = statement
    if (!follows(previous, verdict.last)) return fault(previous.seq + 1, 'it does not follow the month before it')
    if (verdict.last && previous.seq > verdict.last.seq) verdict.gaps.push(`${verdict.last.seq + 1} to ${previous.seq}`)
    try {
      const wasRead = folder && (await readMonth(join(folder, file), statement, { keys, previous, erased, knownAt }))
      if (wasRead) verdict.read.push(month)
      else verdict.unread.push({ month, file })
    } catch (error) {
      if (error instanceof ColdFault) return fault(error.seq, error.message)
      return fault(previous.seq + 1, `the file cannot be read: ${(error as Error).message}`)
    }
    verdict.last = last
  }
  return verdict
}

/** Rows between two months may be gone because of their age: the later month's statement says after which it begins. */
const follows = (previous: AuditHead, last: AuditHead | undefined) =>
  !last || previous.seq > last.seq || (previous.seq === last.seq && previous.hash === last.hash)

async function readMonth(path: string, { last, sha256 }: ColdMonth, options: Parameters<typeof checkLines>[1]) {
  const reading = readColdFile(path)
  try {
    const { last: end } = await checkLines(reading.lines, options)
    if (end.seq !== last.seq || end.hash !== last.hash)
      throw new ColdFault(end.seq, 'the file does not end with the row that was signed')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  if (reading.sha256() !== sha256)
    throw new ColdFault(options.previous.seq + 1, 'the file is not the one that was signed')
  return true
}
