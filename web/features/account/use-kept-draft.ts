import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { profile } from '#contract/profile/profile.ts'
import { call } from '#web/lib/requests/api.ts'
import { messageText } from '#web/lib/texts/i18n.ts'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { draftOf, type OwnDetails } from './use-own-details.ts'

const page = getRouteApi('/account')
const fields = ['firstName', 'lastName', 'ssn', 'phoneNumber'] as const

/**
 * Restores the draft that was saved before the user signed in again, and moves the focus to Save.
 *
 * @returns whether the unsaved changes come from that draft
 */
export function useKeptDraft({ form, dirty }: OwnDetails['form'], goToSave: () => void): boolean {
  const [wanted] = useState(page.useSearch().draft === 'kept')
  const navigate = page.useNavigate()
  const asked = useRef(false)
  const [state, setState] = useState<'none' | 'restored' | 'shown'>('none')

  useEffect(() => {
    // The server returns the draft only once.
    if (!wanted || asked.current) return
    asked.current = true
    const restore = async () => {
      const { draft } = await call(profile.restoreDraft)
      const typed = draftOf(draft ?? {})
      const changed = fields.filter((name) => draft?.[name] !== undefined && typed[name] !== form.getValues(name))
      for (const name of changed) form.setValue(name, typed[name], { shouldDirty: true })
      if (changed.length > 0) setState('restored')
      await navigate({ search: {}, replace: true, ignoreBlocker: true })
    }
    restore().catch(() => toasts.show({ tone: 'danger', title: messageText('genericErrorMessage') }))
  }, [wanted, form, navigate])

  useEffect(() => {
    if (state === 'restored' && dirty) {
      setState('shown')
      goToSave()
    }
    if (state === 'shown' && !dirty) setState('none')
  }, [state, dirty, goToSave])
  return state !== 'none'
}
