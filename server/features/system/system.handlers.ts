import { system as systemCalls } from '#contract/system/system.ts'
import type { BankId } from '#server/bankid/bankid.ts'
import { toOffsetAndLimit } from '#server/platform/database/paging.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { readQueues } from '#server/platform/jobs/queue-state.ts'
import type { RecurringJob } from '#server/platform/jobs/run-job.ts'
import { withAttemptLimit } from '#server/platform/limits/with-attempt-limit.ts'
import { sendWaiting } from '#server/platform/messages/send-waiting.ts'
import { found, Problem } from '#server/platform/problem.ts'
import type { System } from '#server/platform/system.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import {
  findFailedMessage,
  listFailedMessages,
  listJobs,
  listNodes,
  listSigningKeys,
  readAudit,
  readDatabase,
} from './system.repository.ts'
import { listCertificates } from './system.ts'
import { sendTestMail } from './test-mail.ts'

interface Parts {
  system: System
  bankid: Pick<BankId, 'certificateEnds'> | undefined
  jobs: readonly Pick<RecurringJob, 'name' | 'cron'>[]
}

const createHandlers = ({ system, bankid, jobs }: Parts): Handlers<typeof systemCalls> => ({
  read: async ({ now }) => {
    const { db, keys, nodeId, version } = system
    return {
      version,
      nodeVersion: process.version,
      nodes: await listNodes(db, { now, nodeId }),
      database: await readDatabase(system),
      queues: await readQueues(db),
      jobs: await listJobs(db, jobs, now),
      certificates: await listCertificates({ db, keys, bankid }),
      keys: await listSigningKeys(db),
      audit: await readAudit(db),
    }
  },
  testMail: async (context) => {
    const { result } = await withAttemptLimit(context, [{ name: 'invitation', key: context.actor.accountId }], () =>
      sendTestMail(context),
    )
    return result
  },
  failedMessages: async ({ db, query, config, now }) => {
    const { itemsPerPage } = config
    const { rows, totalCount } = await listFailedMessages(db, now, toOffsetAndLimit(query, itemsPerPage))
    const items = rows.map(({ failedAt, ...message }) => ({ ...message, failedAt: failedAt.toISOString() }))
    return { itemsPerPage, totalCount, items }
  },
  resend: async ({ db, params, audit, outbox, now }) => {
    if (system.quarantine.isActive()) throw new Problem(409, 'outgoingQuarantine')
    const { template } = found(await findFailedMessage(db, now, params.id))
    if (!(await outbox.resend(db, params.id))) throw new Problem(404, 'notFound')
    // Not to whom: the address may have to be erased one day.
    audit({ name: 'resendMessage', target: { id: params.id, label: template } })
    return undefined
  },
  sendWaiting: async ({ db }) => {
    if (system.quarantine.isActive()) throw new Problem(409, 'outgoingQuarantine')
    return { messages: (await sendWaiting(db, ['mail', 'sms'])).length }
  },
})

export const createCallGroups: CreateCallGroups = ({ system, bankIdClient, jobs }) => [
  callGroup(systemCalls, createHandlers({ system, bankid: bankIdClient, jobs })),
]
