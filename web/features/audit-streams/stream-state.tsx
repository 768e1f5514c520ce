import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { AuditStream } from '#contract/audit-streams.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { Badge } from '#web/ui/badge.tsx'

/** Whether events arrive at an endpoint. */
export function StreamState({ stream: { stopped, failures, waiting } }: { stream: AuditStream }) {
  const { t } = useTranslation()
  if (stopped) return <Badge tone="danger">{t('streamStopped')}</Badge>
  if (failures > 0) return <Badge tone="warn">{t('streamFails')}</Badge>
  return <Badge tone="ok">{t(waiting > 0 ? 'streamSends' : 'streamUpToDate')}</Badge>
}

/** What was wrong with an attempt: a status of HTTP, or a text. */
export const problemOf = (t: TFunction, problem: string): string =>
  problem.startsWith('HTTP ') ? t('streamAnswered', { status: problem.slice(5) }) : t(problem as MessageKey)
