import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '#web/lib/can.tsx'
import type { Tab } from '#web/ui/tabs.tsx'
import { HistorySkeleton } from './history-skeleton.tsx'

const EventHistory = lazy(async () => ({ default: (await import('./event-history.tsx')).EventHistory }))

/** The tab with the history of a thing, which is loaded when it is first opened; none for who may not read the log. */
export function useHistoryTab(targetId: string, open: boolean): readonly Tab[] {
  const { t } = useTranslation()
  const can = useCan()
  if (!can('readAuditEvents')) return []
  return [{ value: 'history', label: t('history'), panel: <Once open={open} targetId={targetId} /> }]
}

function Once({ open, targetId }: { open: boolean; targetId: string }) {
  const [seen, setSeen] = useState(open)
  if (open && !seen) setSeen(true)
  return (
    seen && (
      <Suspense fallback={<HistorySkeleton />}>
        <EventHistory targetId={targetId} />
      </Suspense>
    )
  )
}
