import { erasePerson, pseudonymOf } from '#server/platform/audit/erase-person.ts'
import { sealAuditEvents } from '#server/platform/audit/sealer.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import type { DeliveryQueue } from '#server/platform/jobs/background.ts'
import type { System } from '#server/platform/system.ts'
import { eraseElsewhere, findFormerNames } from './erasures.repository.ts'

/** The queue of people to erase, by their id. */
export const erasureQueue = 'erase-person'

type Options = Pick<System, 'db' | 'keys' | 'clock' | 'log'>

/** Erases people from the audit log, and from what else outlives an account. A second run finds nothing to do. */
export const createErasureQueue = ({ db, keys, clock, log }: Options): DeliveryQueue => ({
  name: erasureQueue,
  batches: 1,
  batchSize: 1,
  async deliver(subjectId) {
    await sealAuditEvents(db)
    await inTransaction(db, async (trx) => {
      await eraseElsewhere(trx, await findFormerNames(trx, subjectId), pseudonymOf(subjectId))
      await erasePerson(trx, keys, subjectId, clock())
    })
  },
  async giveUp(subjectId) {
    log.error({ subjectId }, 'someone could not be erased from the audit log')
  },
})
