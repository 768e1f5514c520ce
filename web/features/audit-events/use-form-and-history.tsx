import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Tabs } from '#web/ui/tabs.tsx'
import { useHistoryTab } from './use-history-tab.tsx'

interface FormState {
  errors: readonly unknown[]
  /** Counts the submits that were refused. */
  refusals: number
}

/** A form and the history of what it changes, as tabs. A refused submit shows the form. */
export function useFormAndHistory({ errors, refusals }: FormState, targetId: string) {
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
          ...history,
        ]}
      />
    ),
  }
}
