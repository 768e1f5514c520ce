import { useTranslation } from 'react-i18next'
import { dateLocales, type Language } from '#contract/languages.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { JobName, JobState, QueueState } from '#contract/system/system.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Badge } from '#web/ui/badge.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'

export const queueNames: Record<QueueState['name'], MessageKey> = {
  mail: 'queueMail',
  sms: 'queueSms',
  logout: 'queueLogout',
  jobs: 'queueJobs',
}

const jobTexts: Record<JobName, MessageKey> = {
  'access-ends': 'jobAccessEnds',
  'access-reviews': 'jobAccessReviews',
  'advance-keys': 'jobAdvanceKeys',
  'audit-cold': 'jobAuditCold',
  'audit-failures': 'jobAuditFailures',
  'audit-head': 'jobAuditHead',
  'audit-head-sent': 'jobAuditHeadSent',
  'audit-months': 'jobAuditMonths',
  'audit-retention': 'jobAuditRetention',
  'audit-verify': 'jobAuditVerify',
  'bankid-certificate': 'jobBankIdCertificate',
  'forget-names': 'jobForgetNames',
  'new-browsers': 'jobNewBrowsers',
  'passive-users': 'jobPassiveUsers',
  recoveries: 'jobRecoveries',
  'remove-expired': 'jobRemoveExpired',
  'saml-certificates': 'jobSamlCertificates',
  'saml-metadata': 'jobSamlMetadata',
  scim: 'jobScim',
}

/** What a job does, in words; a job of a later version has only its name. */
export function useJobText() {
  const { t } = useTranslation()
  return (name: string) => (Object.hasOwn(jobTexts, name) ? t(jobTexts[name as JobName]) : name)
}

/** "40 seconds", "3 hours": the largest unit that fits. */
export function durationText(seconds: number, language: Language): string {
  const [unit, size] = (
    [
      ['day', 86_400],
      ['hour', 3600],
      ['minute', 60],
      ['second', 1],
    ] as const
  ).find(([, length]) => seconds >= length) ?? ['second', 1]
  return new Intl.NumberFormat(dateLocales[language], { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.floor(seconds / size),
  )
}

/** What waits to be sent or done. */
export function QueuesTable({ queues }: { queues: readonly QueueState[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const number = new Intl.NumberFormat(dateLocales[language])
  const columns: Column<QueueState>[] = [
    { key: 'name', header: t('queue'), rowHeader: true, cell: ({ name }) => t(queueNames[name]) },
    { key: 'waiting', header: t('queueWaiting'), align: 'end', cell: ({ waiting }) => number.format(waiting) },
    {
      key: 'oldest',
      header: t('queueOldest'),
      align: 'end',
      cell: ({ waiting, oldestSeconds }) => (waiting > 0 ? durationText(oldestSeconds, language) : '–'),
    },
    {
      key: 'failed',
      header: t('queueFailed'),
      align: 'end',
      cell: ({ failed }) => (failed > 0 ? <Badge tone="danger">{number.format(failed)}</Badge> : '0'),
    },
  ]
  return <Table caption={t('systemQueues')} columns={columns} rows={queues} rowKey={({ name }) => name} />
}

/** What runs by the clock. */
export function JobsTable({ jobs }: { jobs: readonly JobState[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const jobText = useJobText()
  const columns: Column<JobState>[] = [
    {
      key: 'name',
      header: t('job'),
      rowHeader: true,
      // Its name is what the log says.
      cell: ({ name }) => <span title={name}>{jobText(name)}</span>,
    },
    {
      key: 'last',
      header: t('jobLastRun'),
      cell: ({ startedAt }) => (startedAt ? dateTimeText(startedAt, language) : '–'),
    },
    { key: 'result', header: t('jobResult'), cell: (job) => <JobResult job={job} /> },
    { key: 'next', header: t('jobNextRun'), cell: ({ nextRun }) => dateTimeText(nextRun, language) },
  ]
  return <Table caption={t('systemJobs')} columns={columns} rows={jobs} rowKey={({ name }) => name} />
}

function JobResult({ job: { startedAt, finishedAt, failed } }: { job: JobState }) {
  const { t } = useTranslation()
  if (!startedAt) return <Badge>{t('jobNever')}</Badge>
  if (failed) return <Badge tone="danger">{t('jobFailed')}</Badge>
  return <Badge tone={finishedAt ? 'ok' : 'warn'}>{t(finishedAt ? 'jobSucceeded' : 'jobUnfinished')}</Badge>
}
