import type { CertificateEnd, QueueState, SystemState } from '#contract/system/system.ts'

/** Something to look at, and the part of the page where it is. Urgent is what is broken already. */
export type Finding = { section: SystemSection; urgent: boolean } & (
  | { kind: 'node'; host: string }
  | { kind: 'connections'; connections: number; most: number }
  | { kind: 'failed'; queue: QueueState['name']; count: number }
  | { kind: 'waits'; queue: QueueState['name']; seconds: number }
  | { kind: 'job'; name: string }
  | { kind: 'certificate'; certificate: CertificateEnd; days: number }
  | { kind: 'audit' }
  | { kind: 'unsealed'; seconds: number }
)

export type SystemSection =
  | 'systemNodes'
  | 'systemDatabase'
  | 'systemAudit'
  | 'systemQueues'
  | 'failedMessages'
  | 'systemMail'
  | 'systemJobs'
  | 'systemCertificates'
  | 'systemKeys'

const dayMs = 86_400_000
/** A queue is emptied within seconds; a try after a failure may be some minutes away. */
const longWaitSeconds = 15 * 60
/** The audit log is sealed every few seconds. */
const unsealedSeconds = 60
const mostOfConnections = 0.9

/** What on the page asks for somebody: the urgent things first. */
export function findings(state: SystemState, { now, soonDays }: { now: number; soonDays: number }): Finding[] {
  const { nodes, database, queues, jobs, certificates, audit } = state
  const found: Finding[] = []
  for (const { alive, host } of nodes)
    if (!alive) found.push({ kind: 'node', section: 'systemNodes', urgent: true, host })
  const { connections, mostConnections: most } = database
  if (connections > most * mostOfConnections)
    found.push({ kind: 'connections', section: 'systemDatabase', urgent: false, connections, most })
  if (audit.lastCheck && audit.lastCheck.fault !== null)
    found.push({ kind: 'audit', section: 'systemAudit', urgent: true })
  if (audit.unsealed > 0 && audit.unsealedSeconds > unsealedSeconds)
    found.push({ kind: 'unsealed', section: 'systemAudit', urgent: true, seconds: audit.unsealedSeconds })
  for (const { name, failed, waiting, oldestSeconds } of queues) {
    // Messages stand below with their reasons; other work only has its number.
    const section = name === 'mail' || name === 'sms' ? 'failedMessages' : 'systemQueues'
    if (failed > 0) found.push({ kind: 'failed', section, urgent: true, queue: name, count: failed })
    if (waiting > 0 && oldestSeconds > longWaitSeconds)
      found.push({ kind: 'waits', section: 'systemQueues', urgent: false, queue: name, seconds: oldestSeconds })
  }
  for (const { name, failed } of jobs)
    if (failed) found.push({ kind: 'job', section: 'systemJobs', urgent: true, name })
  for (const certificate of certificates) {
    const days = Math.floor((Date.parse(certificate.endsAt) - now) / dayMs)
    if (days < soonDays)
      found.push({ kind: 'certificate', section: 'systemCertificates', urgent: days < 0, certificate, days })
  }
  return found.sort((one, other) => Number(other.urgent) - Number(one.urgent))
}
