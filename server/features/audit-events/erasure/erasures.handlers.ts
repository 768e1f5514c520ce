import { type auditErasures, erasedPrefix } from '#contract/audit-events/audit-erasures.ts'
import { pseudonymOf } from '#server/platform/audit/erase-person.ts'
import { sendJob } from '#server/platform/database/send-job.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { erasureQueue } from './erasure-queue.ts'
import { findDeletion } from './erasures.repository.ts'

export const auditErasuresHandlers: Handlers<typeof auditErasures> = {
  async create({ db, params, audit }) {
    const { targetId, target, organizationIds } = found(await findDeletion(db, params.id))
    if (target.startsWith(erasedPrefix)) return undefined
    await sendJob(db, erasureQueue, targetId)
    audit({ name: 'erasePerson', target: { id: targetId, label: pseudonymOf(targetId) }, organizationIds })
    return undefined
  },
}
