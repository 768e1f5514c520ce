import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DeliveryQueue } from '#server/platform/jobs/background.ts'
import { OutgoingFailure } from '#server/platform/outgoing/outgoing-failure.ts'
import type { System } from '#server/platform/system.ts'
import type { MountedProvider } from '../mount-provider.ts'
import { postLogoutToken } from './logout-token.ts'
import { logoutQueue } from './queue-logouts.ts'

interface LogoutOptions extends Pick<System, 'db' | 'clock' | 'log' | 'outgoing'> {
  provider: Pick<MountedProvider, 'createLogoutToken'>
}

/** How many calls may wait for one service that did not answer the last time: it must not hold up the others. */
const maxWaiting = 2

/** Posts logout tokens to services (OpenID Connect Back-Channel Logout 1.0, 2.5), each until the service has confirmed it. */
export function createLogoutDelivery(options: LogoutOptions): DeliveryQueue {
  const { db, clock, log } = options
  /** Clients that did not answer, with the number of calls under way. */
  const failing = new Map<string, number>()

  const finish = (id: string, state: 'told' | 'untold', reason: string | null) =>
    db
      .updateTable('logoutDeliveries')
      .set({ state, reason, finishedAt: clock() })
      .where('id', '=', id)
      .where('state', '=', 'queued')
      .execute()

  async function attempt({ id, clientId, address, accountId, sid }: Delivery): Promise<void> {
    const failure = await post(options, { clientId, address, accountId, sid })
    if (failure === undefined) {
      failing.delete(clientId)
      await finish(id, 'told', null)
      return
    }
    failing.set(clientId, failing.get(clientId) ?? 0)
    log.warn(
      { deliveryId: id, clientId, reason: failure },
      'a service could not be told of a sign-out; it will be tried again',
    )
    await db.updateTable('logoutDeliveries').set({ reason: failure }).where('id', '=', id).execute()
    throw new Error(`logout ${id}: ${failure}`)
  }

  return {
    name: logoutQueue,
    // One by one: a batch would wait for its slowest.
    batches: 10,
    batchSize: 1,
    async deliver(id) {
      const delivery = await findDelivery(db, id)
      if (!delivery) return
      const { clientId, address } = delivery
      if (!address) return void (await finish(id, 'untold', null))
      const waiting = failing.get(clientId)
      if (waiting === undefined) return attempt({ ...delivery, address })
      if (waiting >= maxWaiting) throw new Error(`logout ${id}: waits behind others for the same service`)
      failing.set(clientId, waiting + 1)
      try {
        await attempt({ ...delivery, address })
      } finally {
        const now = failing.get(clientId)
        if (now !== undefined) failing.set(clientId, Math.max(0, now - 1))
      }
    },
    async giveUp(id) {
      await db.transaction().execute(async (trx) => {
        const given = await trx
          .updateTable('logoutDeliveries as d')
          .from('clients as c')
          .set((row) => ({
            state: 'failed',
            finishedAt: clock(),
            reason: row.fn.coalesce('d.reason', row.val('no attempt completed')),
          }))
          .whereRef('c.clientId', '=', 'd.clientId')
          .where('d.id', '=', id)
          .where('d.state', '=', 'queued')
          .returning(['d.clientId', 'd.reason', 'd.attempts', 'c.serviceId', 'c.name'])
          .executeTakeFirst()
        if (!given) return
        const { clientId, reason, attempts, serviceId, name } = given
        log.error({ deliveryId: id, clientId, reason, attempts }, 'a service was never told of a sign-out')
        await writeAuditEvent(
          trx,
          {
            name: 'signOutNotDelivered',
            target: { id: serviceId, label: name },
            after: { client: clientId, reason, attempts },
          },
          { requestId: `${logoutQueue} ${id}`, now: clock() },
        )
      })
    },
  }
}

interface Delivery {
  id: string
  clientId: string
  accountId: string
  sid: string
  address: string
}

/** A delivery that is still queued. Counts the attempt before it is made, so that one that crashes the process counts. */
async function findDelivery(db: Db, id: string) {
  return db
    .updateTable('logoutDeliveries as d')
    .from('clients as c')
    .set((row) => ({ attempts: row('d.attempts', '+', 1) }))
    .whereRef('c.clientId', '=', 'd.clientId')
    .where('d.id', '=', id)
    .where('d.state', '=', 'queued')
    .returning(['d.id', 'd.clientId', 'd.accountId', 'd.sid', 'd.reason', 'c.backchannelLogoutUri as address'])
    .executeTakeFirst()
}

/** @returns why it failed */
async function post(
  { provider, outgoing }: LogoutOptions,
  { clientId, address, accountId, sid }: Omit<Delivery, 'id'>,
): Promise<string | undefined> {
  const token = await provider.createLogoutToken(clientId, { accountId, sid })
  if (token === undefined) return 'the client is gone'
  try {
    const status = await postLogoutToken(outgoing, address, token)
    // Some frameworks answer 204 to a post without content (2.8).
    return status === 200 || status === 204 ? undefined : `HTTP ${status}`
  } catch (error) {
    if (error instanceof OutgoingFailure) return error.reason
    throw error
  }
}
