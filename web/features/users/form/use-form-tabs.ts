import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserSchemaForm } from './person-fields.tsx'
import { tabOf } from './user-draft.ts'

type TabName = ReturnType<typeof tabOf> | 'history'

/** The selected tab of a form. If a submit finds errors only in the other tab, that one is selected. */
export function useFormTabs({ errors, refusals }: UserSchemaForm) {
  const { t } = useTranslation()
  const [tab, setTab] = useState<TabName>('general')
  const [answered, setAnswered] = useState(0)
  const first = errors[0]
  // Set during rendering, so that the field exists before the focus moves to it.
  if (refusals !== answered && first) {
    setAnswered(refusals)
    if (!errors.some(({ name }) => tabOf(name) === tab)) setTab(tabOf(first.name))
  }
  const errorsIn = (name: TabName) => {
    const count = name === tab ? 0 : errors.filter((error) => tabOf(error.name) === name).length
    return { count, text: t('tabErrors', { count }) }
  }
  return {
    tab,
    choose: (value: string) => setTab(value === 'permissions' || value === 'history' ? value : 'general'),
    reveal: (field: string) => setTab(tabOf(field)),
    errorsIn,
  }
}
