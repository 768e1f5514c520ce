import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../database/database-types.ts'
import { writeAuditEvent } from '../audit.ts'
import { signStatement } from '../checkpoint.ts'
import { beginRemoval, dropMonths, type KeptFrom, monthsAgo, readLimits, removeRows } from '../retention.ts'
import { keepColdFile } from './cold-file.ts'
import { endOfMonth } from './cold-months.ts'
import type { ColdOptions } from './cold-options.ts'
import { explainFolder } from './folder-problem.ts'
import type { RowsOfMonth } from './month-lines.ts'
import { findNextMonth } from './next-month.ts'
import { type WrittenMonth, writeAndCheck } from './write-month.ts'

/**
 * Moves each month that is old enough to a file. The file is on the disk and was read back before one transaction keeps what
 * was signed about it, the event, and lets the month go; whatever ends the process before that leaves the month where it was.
 *
 * @param most so many months: a job has its time
 * @returns the months
 */
export async function moveOldMonths(options: ColdOptions, most = Number.POSITIVE_INFINITY): Promise<string[]> {
  const { db, now, log, settings } = options
  const { auditColdAfterMonths: months, auditColdDir: folder } = settings
  const moved: string[] = []
  while (months > 0 && folder && moved.length < most) {
    const next = await findNextMonth(options, monthsAgo(now, months))
    if (!next) break
    if (!(await moveMonth(options, folder, next))) break
    log.info({ month: next.month, rows: next.last.seq - next.previous.seq }, 'audit month moved to cold storage')
    moved.push(next.month)
  }
  // Also what a run that was ended has left.
  if (months > 0) await removeRows(db)
  return moved
}

// Another portal may use the same folder.
const fileOf = (month: string, sha256: string) => `audit-${month}-${sha256.slice(0, 16)}.jsonl.gz`

/** @returns whether it was this process that moved it */
async function moveMonth(options: ColdOptions, folder: string, next: RowsOfMonth): Promise<boolean> {
  const { db, now, settings } = options
  // Its own name, so that two processes do not write to one file.
  const part = join(folder, `audit-${next.month}.${randomUUID()}.part`)
  try {
    const limits = await readLimits(db, now, settings)
    const written = await writeAndCheck(options, part, next, limits)
    const file = fileOf(next.month, written.sha256)
    const moved = await letGo(options, { ...written, next, part, path: join(folder, file), file, limits })
    if (!moved) return false
  } catch (error) {
    // Its rows left while they were read here.
    if (await isMoved(db, next)) return false
    throw explainFolder(error, folder, 'No event has left the database.')
  } finally {
    await rm(part, { force: true }).catch(() => {})
  }
  await removeParts(folder)
  return true
}

/** Whether another process has moved it. */
async function isMoved(db: Kysely<DB>, { previous }: RowsOfMonth): Promise<boolean> {
  const { rows } = await sql`select from audit_cold_months where last_seq > ${previous.seq}`.execute(db)
  return rows.length > 0
}

interface LetGo extends WrittenMonth {
  next: RowsOfMonth
  part: string
  path: string
  file: string
  limits: KeptFrom
}

/** In one transaction; @returns false where another process has moved the month, or somebody was erased from it since. */
const letGo = (
  { db, keys, now }: ColdOptions,
  { next: { month, previous, last, head }, part, path, file, sha256, youngest, erasures, limits }: LetGo,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    // Who moves another month, or erases a person, is waited for only so long: the next run tries again.
    await sql`set local lock_timeout = '2s'`.execute(trx)
    await sql`select pg_advisory_xact_lock(hashtext('audit cold months'))`.execute(trx)
    const end = endOfMonth(month)
    const { rows } = await sql<{ same: boolean }>`
      select not exists (select from audit_cold_months where last_seq > ${previous.seq})
        and not exists (select from audit_erasures where number > ${erasures})
        and not exists (select from audit_chain where seq > ${head} and created_at < ${end})
        and not exists (select from audit_events where not sealed and created_at < ${end}) as same`.execute(trx)
    if (!rows[0]?.same) return false
    const signed = await signStatement(keys, {
      coldMonth: month,
      file,
      sha256,
      previous,
      last,
      youngest: youngest.toISOString(),
    })
    await sql`select keep_cold_month(${month}, ${last.seq}, ${signed}, ${now})`.execute(trx)
    const later = (limit: Date) => (limit > end ? limit : end)
    const { change, signIn, unknownSignIn } = limits
    await beginRemoval(
      { db: trx, keys, now },
      { change: later(change), signIn: later(signIn), unknownSignIn: later(unknownSignIn) },
    )
    const after = { coldFile: file, chainRows: last.seq - previous.seq, sha256 }
    await writeAuditEvent(
      trx,
      { name: 'moveAuditMonth', target: { id: null, label: month }, after },
      { requestId: 'audit-cold', now },
    )
    await dropMonths(trx)
    await keepColdFile(part, path)
    return true
  })

const day = 24 * 3600 * 1000

/** What processes that were ended have left; another one may still write what is younger. */
async function removeParts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^audit-\d{4}-\d{2}\..*\.part$/.test(name)) continue
    const path = join(folder, name)
    const written = await stat(path).catch(() => undefined)
    if (written && Date.now() - written.mtimeMs > day) await rm(path, { force: true })
  }
}
