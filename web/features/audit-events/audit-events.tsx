import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNothingToSave } from '#web/lib/dialogs/form-dialog.tsx'
import { useCan } from '#web/lib/session/can.tsx'
import { type Tab, Tabs } from '#web/ui/tabs.tsx'
import { HistorySkeleton } from './history-skeleton.tsx'

// The public interface of this room: the history of a thing, for its dialog.

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
  useNothingToSave(open)
  if (open && !seen) setSeen(true)
  return (
    seen && (
      <Suspense fallback={<HistorySkeleton />}>
        <EventHistory targetId={targetId} />
      </Suspense>
    )
  )
}

interface FormState {
  errors: readonly unknown[]
  /** Counts the submits that were refused. */
  refusals: number
}

/** A tab that asks for its content when it is open. */
interface LazyTab extends Omit<Tab, 'panel'> {
  render: () => ReactNode
}

/** A form, what stands between, and the history of what it changes, as tabs. A refused submit shows the form. */
export function useFormAndHistory({ errors, refusals }: FormState, targetId: string, between: readonly LazyTab[] = []) {
  const { t } = useTranslation()
  const [tab, setTab] = useState('settings')
  const [answered, setAnswered] = useState(0)
  // Set during rendering, so that the field exists before the focus moves to it.
  if (refusals !== answered) {
    setAnswered(refusals)
    setTab('settings')
  }
  const history = useHistoryTab(targetId, tab === 'history')
  const count = tab === 'settings' ? 0 : errors.length
  return {
    reveal: () => setTab('settings'),
    tabsAround: (label: string, form: ReactNode) => (
      <Tabs
        label={label}
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'settings', label: t('general'), panel: form, errors: { count, text: t('tabErrors', { count }) } },
          ...between.map(({ render, ...other }) => ({ ...other, panel: other.value === tab && render() })),
          ...history,
        ]}
      />
    ),
  }
}
