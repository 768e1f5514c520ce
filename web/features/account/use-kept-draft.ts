import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { profile } from '#contract/profile.ts'
import { call } from '#web/lib/api.ts'
import { messageText } from '#web/lib/i18n.ts'
import { toasts } from '#web/ui/toast-store.ts'
import type { OwnDetails } from './use-own-details.ts'

const page = getRouteApi('/account')
const fields = ['firstName', 'lastName', 'ssn', 'phoneNumber'] as const

/**
 * Puts back what was typed before a new sign-in, on a page that was opened after one, and leads to Save.
 *
 * @returns whether what has changed is that, and not yet saved or discarded
 */
export function useKeptDraft({ form, dirty }: OwnDetails['form'], goToSave: () => void): boolean {
  const [wanted] = useState(page.useSearch().draft === 'kept')
  const navigate = page.useNavigate()
  const asked = useRef(false)
  const [state, setState] = useState<'none' | 'put back' | 'shown'>('none')

  useEffect(() => {
    // It is given once.
    if (!wanted || asked.current) return
    asked.current = true
    const putBack = async () => {
      const { draft } = await call(profile.takeDraft)
      const changed = fields.filter(
        (name) => draft?.[name] !== undefined && (draft[name] ?? '') !== form.getValues(name),
      )
      for (const name of changed) form.setValue(name, draft?.[name] ?? '', { shouldDirty: true })
      if (changed.length > 0) setState('put back')
      await navigate({ search: {}, replace: true, ignoreBlocker: true })
    }
    putBack().catch(() => toasts.show({ tone: 'danger', title: messageText('genericErrorMessage') }))
  }, [wanted, form, navigate])

  useEffect(() => {
    if (state === 'put back' && dirty) {
      setState('shown')
      goToSave()
    }
    if (state === 'shown' && !dirty) setState('none')
  }, [state, dirty, goToSave])
  return state !== 'none'
}
