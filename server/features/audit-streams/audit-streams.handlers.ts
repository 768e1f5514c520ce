import { type Attempt, auditStreams, secretOverlapHours } from '#contract/audit-streams/audit-streams.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import { OutgoingFailure } from '#server/platform/outgoing/outgoing-failure.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import {
  findWebhookForUpdate,
  insertWebhook,
  listWebhooks,
  readSealedEvents,
  removeWebhook,
  replaceSecret,
  restartStream,
  seqBefore,
} from './audit-streams.repository.ts'
import { sendBody, sendEvent } from './deliver-events.ts'
import type { Stream } from './due-streams.repository.ts'
import { type Delivery, newSecret } from './send-webhook.ts'

const labelled = ({ streamId, url }: Pick<Stream, 'streamId' | 'url'>) => ({ id: streamId, label: url ?? '' })

const asAttempt = (delivery: Delivery): Attempt => ({
  delivered: delivery.delivered,
  problem: delivery.delivered ? null : delivery.problem,
})

/** An address that could never be called is refused beside its field. */
function checkAddress(outgoing: Outgoing, url: string): void {
  try {
    outgoing.check(url)
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    throw new Problem(422, 'validationFailed', { issues: [{ path: 'url', message: error.key }] })
  }
}

export const auditStreamsHandlers: Handlers<typeof auditStreams> = {
  list: async ({ db }) => listWebhooks(db),
  create: async ({ db, keys, input, audit, outgoing, now, actor }) => {
    const { url } = input
    checkAddress(outgoing, url)
    const secret = newSecret()
    const streamId = await insertWebhook(db, keys, input, { secret, now, answersFor: actor.accountId })
    audit({ name: 'createAuditStream', target: labelled({ streamId, url }), after: input })
    return { streamId, secret }
  },
  renewSecret: async ({ db, keys, params, audit, now, actor }) => {
    const stream = found(await findWebhookForUpdate(db, params.id))
    const { streamId, secretSealed } = stream
    const secret = newSecret()
    const until = new Date(now.getTime() + secretOverlapHours * 3600 * 1000)
    const present = found(secretSealed)
    await replaceSecret(db, keys, { streamId, secret, present, until, answersFor: actor.accountId })
    audit({ name: 'renewAuditStreamSecret', target: labelled(stream) })
    return { streamId, secret }
  },
  test: async (context) => {
    const { db, params, now, requestId } = context
    const stream = found(await findWebhookForUpdate(db, params.id))
    const body = JSON.stringify({ type: 'test', timestamp: now.toISOString(), data: {} })
    return asAttempt(await sendBody(context, stream, { id: `test_${requestId}`, body }))
  },
  resendOne: async (context) => {
    const { db, params, input, transact } = context
    const { seq } = input
    const stream = found(await findWebhookForUpdate(db, params.id))
    const [event] = await readSealedEvents(db, { from: seq, limit: 1 })
    if (event?.seq !== seq)
      throw new Problem(422, 'validationFailed', { issues: [{ path: 'seq', message: 'noEventWithNumber' }] })
    await transact(async (_, audit) => audit({ name: 'resendAuditEvents', target: labelled(stream), after: { seq } }))
    return asAttempt(await sendEvent(context, stream, event))
  },
  resend: async ({ db, params, input, audit, now }) => {
    const { fromSeq, from } = input
    const stream = found(await findWebhookForUpdate(db, params.id))
    const present = Number(stream.deliveredSeq)
    const deliveredSeq = fromSeq ? fromSeq - 1 : from ? await seqBefore(db, new Date(from)) : present
    // Nothing may be left out.
    await restartStream(db, stream.streamId, { deliveredSeq: Math.min(deliveredSeq, present), now })
    audit({ name: 'resendAuditEvents', target: labelled(stream), after: { fromSeq, from } })
    return undefined
  },
  remove: async ({ db, params, audit }) => {
    const stream = found(await findWebhookForUpdate(db, params.id))
    await removeWebhook(db, stream.streamId)
    audit({ name: 'deleteAuditStream', target: labelled(stream), before: { url: stream.url } })
    return undefined
  },
}

export const createCallGroups: CreateCallGroups = () => [callGroup(auditStreams, auditStreamsHandlers)]
