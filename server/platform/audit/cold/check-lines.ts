import type { Keys } from '../../secrets/keys.ts'
import type { AuditHead } from '../audit-chain.ts'
import { chainRowOf } from '../audit-export.ts'
import { openCheckpoint } from '../checkpoint.ts'
import type { ErasedEvent } from '../erasures.ts'
import { faultOf } from '../row-fault.ts'

/** The first row of a file that is not as it was sealed. */
export class ColdFault extends Error {
  override name = 'ColdFault'
  readonly seq: number
  constructor(seq: number, reason: string) {
    super(reason)
    this.seq = seq
  }
}

interface CheckOptions {
  keys: Keys
  /** The row that the first one of the file follows. */
  previous: AuditHead
  erased: ReadonlyMap<number, ErasedEvent>
  /** The hash of a row that was logged earlier. */
  knownAt?: ReadonlyMap<number, string>
}

/**
 * Checks a whole file, as tools/verify-audit.py does.
 *
 * @returns its last row, and the moment of its youngest one, which is another where clocks differ
 * @throws ColdFault
 */
export async function checkLines(
  lines: AsyncIterable<string>,
  { keys, previous, erased, knownAt }: CheckOptions,
): Promise<{ last: AuditHead; youngest: Date }> {
  let last = previous
  let youngest = 0
  const refuse = (reason: string): never => {
    throw new ColdFault(last.seq + 1, reason)
  }
  let start: Awaited<ReturnType<typeof openCheckpoint>>
  let head: AuditHead | undefined
  for await (const line of lines) {
    if (!head) {
      const header = JSON.parse(line)
      head = header.head as AuditHead
      start = await openCheckpoint(keys, String(header.checkpoint?.signed))
      if (!start) refuse('no key of this portal signed the head of the file')
      if (start?.startSeq !== last.seq || start.startHash !== last.hash)
        refuse('the file does not begin after the row before it')
      continue
    }
    const row = chainRowOf(line)
    // An event that was erased later is in the file as it was sealed.
    const reason = faultOf(row, last, { start, erased: undefined })
    if (reason && faultOf(row, last, { start, erased: erased.get(row.seq) })) refuse(reason)
    if ((knownAt?.get(row.seq) ?? row.hash) !== row.hash) refuse('it is not the row that was known at this place')
    last = { seq: row.seq, hash: row.hash }
    youngest = Math.max(youngest, Number(row.microseconds))
  }
  if (head?.seq !== last.seq || head.hash !== last.hash) refuse(`the file ends here, and its head is row ${head?.seq}`)
  return { last, youngest: new Date(youngest / 1000) }
}
