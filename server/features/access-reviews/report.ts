import { csvLine, csvStart } from '#server/platform/csv.ts'
import type { Db } from '#server/platform/database/database.ts'
import { translate } from '#server/platform/messages/texts.ts'
import type { StoredReview } from './access-reviews.repository.ts'
import { listPeople, type StoredRow } from './review-rows.repository.ts'

type Language = Parameters<typeof translate>[0]

const columns = [
  'person',
  'email',
  'service',
  'role',
  'serviceRoles',
  'lastUsed',
  'lastDay',
  'reviewDecision',
  'reviewDecidedBy',
  'reviewDecidedAt',
  'reviewEndedAt',
] as const

/** Every decision of a review as comma-separated values. Some hundred bytes each: 10,000 rows take a few MB. */
export async function* reportOf(db: Db, { reviewId, organizationId }: StoredReview, language: Language) {
  const t = (key: Parameters<typeof translate>[1]) => translate(language, key)
  const part = { reviewId, organizationId, serviceIds: undefined }
  const { rows } = await listPeople(db, part, {}, { offset: 0, limit: null })
  yield csvStart + csvLine(columns.map(t))
  for (const row of rows)
    yield csvLine([
      row.name,
      row.email,
      row.serviceName,
      t(row.serviceRole === 'serviceAdmin' ? 'roleServiceAdmin' : 'roleRegular'),
      row.serviceRoles.join(', '),
      row.lastUsed?.toISOString() ?? t('lastUsedUnknown'),
      row.endsOn,
      t(decisionText(row)),
      row.decidedBy,
      row.decidedAt?.toISOString() ?? null,
      row.endedAt?.toISOString() ?? null,
    ])
}

function decisionText({ decision, present, endedAt }: StoredRow) {
  if (decision === 'keep') return present ? 'reviewKept' : 'reviewKeptEnded'
  if (decision === 'takeBack') return endedAt ? 'reviewTakenBack' : 'reviewToTakeBack'
  return present ? 'reviewOpenRow' : 'reviewGone'
}
