import { useTranslation } from 'react-i18next'
import type { AuditStream } from '#contract/audit-streams/audit-streams.ts'
import { Badge } from '#web/ui/badge.tsx'

/** Whether events arrive at an endpoint. */
export function StreamState({ stream: { stopped, stands, failures, waiting } }: { stream: AuditStream }) {
  const { t } = useTranslation()
  if (stopped) return <Badge tone="danger">{t('streamStopped')}</Badge>
  if (!stands) return <Badge tone="warn">{t('streamUnanswered')}</Badge>
  if (failures > 0) return <Badge tone="warn">{t('streamFails')}</Badge>
  return <Badge tone="ok">{t(waiting > 0 ? 'streamSends' : 'streamUpToDate')}</Badge>
}
