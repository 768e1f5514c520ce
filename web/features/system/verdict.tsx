import { useTranslation } from 'react-i18next'
import type { SystemState } from '#contract/system/system.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Alert } from '#web/ui/alert.tsx'
import { certificateNames, soonDays } from './certificates-table.tsx'
import { type Finding, findings } from './findings.ts'
import styles from './system.module.css'
import { durationText, queueNames, useJobText } from './work-tables.tsx'

/** Whether all is well, and if not, what to look at: each leads to its part of the page. */
export function Verdict({ state }: { state: SystemState }) {
  const { t } = useTranslation()
  const textOf = useFindingText()
  const found = findings(state, { now: Date.now(), soonDays })
  if (found.length === 0) return <Alert tone="ok" live="status" title={t('systemAllWell')} />
  const tone = found.some(({ urgent }) => urgent) ? 'danger' : 'warn'
  return (
    <Alert tone={tone} live="status" title={t('systemFindings', { count: found.length })}>
      <ul className={styles.findings}>
        {found.map((one) => (
          <li key={JSON.stringify(one)}>
            <a href={`#${one.section}`}>{textOf(one)}</a>
          </li>
        ))}
      </ul>
    </Alert>
  )
}

function useFindingText() {
  const { t } = useTranslation()
  const language = useLanguage()
  const jobText = useJobText()
  const of = (name: string, text: string) => t('findingOf', { name, text })
  return (one: Finding): string => {
    switch (one.kind) {
      case 'node':
        return of(one.host, t('nodeGone'))
      case 'connections':
        return of(t('databaseConnections'), t('databaseConnectionsOf', one))
      case 'failed':
        return of(t(queueNames[one.queue]), t('findingFailed', { count: one.count }))
      case 'waits':
        return of(t(queueNames[one.queue]), t('findingWaits', { time: durationText(one.seconds, language) }))
      case 'job':
        return of(jobText(one.name), t('jobFailed'))
      case 'certificate': {
        const name = one.certificate.name ?? t(certificateNames[one.certificate.kind])
        return of(name, one.days < 0 ? t('certificateExpired') : t('certificateDaysLeft', { count: one.days }))
      }
      case 'audit':
        return of(t('systemAudit'), t('findingAudit'))
      case 'unsealed':
        return of(t('systemAudit'), t('findingWaits', { time: durationText(one.seconds, language) }))
    }
  }
}
