import type { ReviewDecision, ReviewPerson, ReviewRow } from '#contract/access-reviews/review-answers.ts'
import type { ReviewAnswer } from './use-review.ts'

export type Decision = ReviewDecision | null

/** Rows that get one decision, with the one that they had. */
export interface Change {
  rowIds: readonly string[]
  from: Decision
  to: Decision
}

/** True where a decision can be made or changed. */
export const isOpen = ({ present }: ReviewRow) => present

/** True where the reader can take it back: what comes by a group ends with all that it gives, which a part does not decide. */
export const canTakeBack = ({ groups }: ReviewRow, whole: boolean) => whole || groups.length === 0

/** The changes that give rows a decision: those that have it already are left out. */
export function changesTo(rows: readonly ReviewRow[], to: Decision): Change[] {
  return ([null, 'keep', 'takeBack'] as const).flatMap((from) => {
    const rowIds = rows.filter((row) => isOpen(row) && row.decision === from).map(({ rowId }) => rowId)
    return from === to || rowIds.length === 0 ? [] : [{ rowIds, from, to }]
  })
}

/** The changes that lead back. */
export const undone = (changes: readonly Change[]): Change[] =>
  changes.map(({ rowIds, from, to }) => ({ rowIds, from: to, to: from }))

export const countOf = (changes: readonly Change[]) => changes.reduce((count, { rowIds }) => count + rowIds.length, 0)

/** The decision that all open rows have; undefined where they differ. */
export function commonDecision(rows: readonly ReviewRow[]): Decision | undefined {
  const decisions = new Set(rows.filter(isOpen).map(({ decision }) => decision))
  return decisions.size === 1 ? [...decisions][0] : undefined
}

/** The answer as it is after the changes, so that what was decided stays in its place on the page. */
export function withChanges(answer: ReviewAnswer, changes: readonly Change[], by: string): ReviewAnswer {
  const next = new Map(changes.flatMap(({ rowIds, to }) => rowIds.map((rowId) => [rowId, to] as const)))
  const apply = (row: ReviewRow): ReviewRow => {
    const to = next.get(row.rowId)
    return to === undefined ? row : { ...row, decision: to, decidedBy: to && by }
  }
  const items = answer.items.map((person: ReviewPerson) => ({ ...person, rows: person.rows.map(apply) }))
  const moved = (decision: Decision) =>
    changes.reduce(
      (sum, { rowIds, from, to }) => sum + rowIds.length * (Number(to === decision) - Number(from === decision)),
      0,
    )
  const services = answer.services.map((service) => {
    const rows = answer.items.flatMap(({ rows }) => rows).filter(({ serviceId }) => serviceId === service.serviceId)
    const done = rows.reduce((sum, row) => sum + Number(isDecided(apply(row))) - Number(isDecided(row)), 0)
    return { ...service, done: service.done + done }
  })
  const review = answer.review && {
    ...answer.review,
    done: answer.review.done - moved(null),
    kept: answer.review.kept + moved('keep'),
    takenBack: answer.review.takenBack + moved('takeBack'),
  }
  return { ...answer, items, services, review }
}

const isDecided = ({ decision }: ReviewRow) => decision !== null
