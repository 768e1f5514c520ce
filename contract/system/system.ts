import * as z from 'zod/mini'
import { id, paged, pageQuery, timestamp } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'

const count = z.int()

/** A process that serves this database. */
const node = z.object({
  nodeId: id,
  host: z.string(),
  version: z.string(),
  startedAt: timestamp,
  seenAt: timestamp,
  /** False if it has sent no heartbeat for a while and did not announce that it stops. */
  alive: z.boolean(),
  /** The one that answers. */
  here: z.boolean(),
})

const database = z.object({
  version: z.string(),
  bytes: count,
  /** Connections of the answering node, and requests that wait for one. */
  pool: z.object({ busy: count, idle: count, waiting: count, most: count }),
  /** Of the whole server. */
  connections: count,
  mostConnections: count,
  /** Servers that follow this one. */
  replicas: count,
})

const queue = z.object({
  name: z.enum(['mail', 'sms', 'logout', 'jobs']),
  waiting: count,
  oldestSeconds: z.number(),
  /** What was given up and is still listed. */
  failed: count,
})
export type QueueState = z.infer<typeof queue>

/** What runs by the clock; `server/features/system/system.test.ts` holds the list against the jobs. */
export const jobNames = [
  'access-ends',
  'access-reviews',
  'advance-keys',
  'audit-cold',
  'audit-failures',
  'audit-head',
  'audit-head-sent',
  'audit-months',
  'audit-retention',
  'audit-verify',
  'bankid-certificate',
  'forget-names',
  'new-browsers',
  'passive-users',
  'recoveries',
  'remove-expired',
  'saml-certificates',
  'saml-metadata',
  'scim',
] as const
export type JobName = (typeof jobNames)[number]

const job = z.object({
  name: z.string(),
  startedAt: z.nullable(timestamp),
  finishedAt: z.nullable(timestamp),
  failed: z.boolean(),
  nextRun: timestamp,
})
export type JobState = z.infer<typeof job>

const certificate = z.object({
  /** BankID's client certificate, that of our SAML requests, that for encrypted assertions, or one of an organisation's sign-in. */
  kind: z.enum(['bankid', 'samlSigning', 'samlEncryption', 'samlConfig']),
  /** Of the SAML configuration. */
  samlConfigId: z.nullable(z.int()),
  name: z.nullable(z.string()),
  endsAt: timestamp,
})
export type CertificateEnd = z.infer<typeof certificate>

const signingKey = z.object({
  purpose: z.enum(['oidcSigning', 'samlSigning', 'samlEncryption', 'auditSigning']),
  state: z.enum(['next', 'current', 'previous']),
  since: timestamp,
})

const audit = z.object({
  /** Number of the last event in the chain. */
  head: count,
  /** Events that have no place in the chain yet, and the age of the oldest. */
  unsealed: count,
  unsealedSeconds: z.number(),
  /** `seq` is the last row that was checked, or with a fault the first one that is wrong. */
  lastCheck: z.nullable(z.object({ at: timestamp, seq: count, fault: z.nullable(z.string()) })),
  /** When the log was last verified from its first row on; each night it goes on from where the last check ended. */
  wholeCheckAt: z.nullable(timestamp),
  /** When events were last removed because of their age, how many, and by family the moment before which. */
  lastRemoval: z.nullable(
    z.object({
      at: timestamp,
      removed: count,
      changesBefore: timestamp,
      signInsBefore: timestamp,
      unknownSignInsBefore: timestamp,
    }),
  ),
})

export const systemState = z.object({
  version: z.string(),
  nodeVersion: z.string(),
  nodes: z.array(node),
  database,
  queues: z.array(queue),
  jobs: z.array(job),
  certificates: z.array(certificate),
  keys: z.array(signingKey),
  audit,
})
export type SystemState = z.infer<typeof systemState>

/** Failed messages are listed, and counted on the home page, for so many days. */
export const failedMessageDays = 30

/** A mail or text message that could not be sent, and is no invitation: those are among the people. */
const failedMessage = z.object({
  messageId: id,
  kind: z.enum(['mail', 'sms']),
  template: z.string(),
  recipient: z.string(),
  /** What the server at the other end said. */
  reason: z.nullable(z.string()),
  failedAt: timestamp,
})
export type FailedMessage = z.infer<typeof failedMessage>

export const system = {
  read: route('GET /api/system', {
    summary: 'How the portal runs: nodes, database, queues, jobs, certificates, keys, audit log',
    access: 'readSystem',
    answer: systemState,
  }),
  testMail: route('POST /api/system/test-mail', {
    summary: "Sends a mail to the caller's address, bypassing the queue, and says what the mail server answered",
    access: 'readSystem',
    // `reason` is the code of the failure and the answer of the mail server, which may quote the address.
    answer: z.object({ sent: z.boolean(), reason: z.nullable(z.string()) }),
    // Changes no entity.
    audit: 'none',
    atomic: false,
  }),
  failedMessages: route('GET /api/system/failed-messages', {
    summary: 'Mail and text messages that could not be sent in the last 30 days, without invitations; the newest first',
    access: 'readSystem',
    query: z.pick(pageQuery(['failedAt']), { page: true }),
    answer: paged(failedMessage),
  }),
  resend: route('POST /api/system/failed-messages/{id}/resend', {
    summary: 'Sends a failed message once more; it is dropped if what it says has expired',
    access: 'readSystem',
    params: z.strictObject({ id }),
    answer: 'nothing',
    audit: 'resendMessage',
  }),
  sendWaiting: route('POST /api/system/send-waiting', {
    summary: 'Tries mail and text messages now that wait for their next try, as after an outage',
    access: 'readSystem',
    answer: z.object({ messages: count }),
    // Changes no entity, only when it leaves.
    audit: 'none',
  }),
}
