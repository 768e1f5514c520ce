import type { Registry } from 'prom-client'
import type { System } from '../../system.ts'
import { readGauge } from './measure-work.ts'

/** A certificate that the portal uses. */
export interface Certificate {
  kind: string
  samlConfigId: number | null
  /** ISO 8601 */
  endsAt: string
}

const seconds = (date: Date) => date.getTime() / 1000

/** When certificates end, keys began, jobs ran and the audit log was verified: seconds since 1970. */
export function measureDates(
  registry: Registry,
  { db }: System,
  listCertificates: () => Promise<readonly Certificate[]>,
): void {
  readGauge(
    registry,
    {
      name: 'vestibule_certificate_expiry_timestamp_seconds',
      help: 'When a certificate ends; id is that of an organisation sign-in.',
      labelNames: ['certificate', 'id'],
    },
    async () =>
      (await listCertificates()).map(({ kind, samlConfigId, endsAt }) => ({
        labels: { certificate: kind, id: String(samlConfigId ?? '') },
        value: seconds(new Date(endsAt)),
      })),
  )
  readGauge(
    registry,
    {
      name: 'vestibule_key_since_timestamp_seconds',
      help: 'Since when the key of a purpose has been in use.',
      labelNames: ['purpose'],
    },
    async () => {
      const keys = await db
        .selectFrom('keys')
        .select(['purpose', 'stateSince'])
        .where('state', '=', 'current')
        .execute()
      return keys.map(({ purpose, stateSince }) => ({ labels: { purpose }, value: seconds(stateSince) }))
    },
  )
  readGauge(
    registry,
    {
      name: 'vestibule_job_start_timestamp_seconds',
      help: 'When a recurring job last began.',
      labelNames: ['task'],
    },
    async () =>
      (await db.selectFrom('jobRuns').select(['name', 'startedAt']).execute()).map(({ name, startedAt }) => ({
        labels: { task: name },
        value: seconds(startedAt),
      })),
  )
  readGauge(
    registry,
    { name: 'vestibule_job_failed', help: '1 where the last run of a recurring job failed.', labelNames: ['task'] },
    async () =>
      (await db.selectFrom('jobRuns').select(['name', 'failed']).execute()).map(({ name, failed }) => ({
        labels: { task: name },
        value: Number(failed),
      })),
  )
  const lastCheck = () =>
    db.selectFrom('auditChecks').selectAll().orderBy('checkedAt', 'desc').limit(1).executeTakeFirst()
  readGauge(
    registry,
    { name: 'vestibule_audit_verified_timestamp_seconds', help: 'When the audit chain was last verified.' },
    async () => {
      const check = await lastCheck()
      return check ? [{ labels: {}, value: seconds(check.checkedAt) }] : []
    },
  )
  readGauge(
    registry,
    { name: 'vestibule_audit_broken', help: '1 where the last check of the audit chain found a fault.' },
    async () => {
      const check = await lastCheck()
      return check ? [{ labels: {}, value: check.fault === null ? 0 : 1 }] : []
    },
  )
}
