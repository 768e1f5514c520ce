import { type AuditHead, type ChainRow, digestOf, hashOf } from './audit-chain.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { ErasedEvent } from './erasures.ts'

interface Signed {
  /** Of which events may be missing. */
  start: Checkpoint | undefined
  /** What is left of the event, where it was erased. */
  erased: ErasedEvent | undefined
}

/** What is wrong with a row, by itself and after the one before it. */
export function faultOf(row: ChainRow, last: AuditHead, { start, erased }: Signed): string | undefined {
  if (row.seq !== last.seq + 1) return `the row is missing; the next one is ${row.seq}`
  if (row.previous_hash !== last.hash) return 'it does not follow the row before it'
  if (row.id === null && !mayBeMissing(row, start)) return 'the event is missing'
  if (row.id !== null && erased?.hash === row.hash) {
    if (digestOf(row) !== erased.digest) return 'its content was changed after it was erased'
  } else if (row.id !== null && digestOf(row) !== row.digest) return 'its content was changed'
  return hashOf(row) === row.hash ? undefined : 'its place was changed'
}

const mayBeMissing = ({ family, microseconds }: ChainRow, start: Checkpoint | undefined) =>
  BigInt(microseconds) < BigInt(start?.removedBefore[family] ?? microseconds)
