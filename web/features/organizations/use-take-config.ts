import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { EntityForm } from '#web/lib/forms/entity-form.ts'
import type { Choosable, OrganizationDraft, OrganizationValues } from './organization-draft.ts'

/**
 * Who comes back from a passed test finds organisation sign-in chosen, and saves it. A configuration that was made while
 * the dialog has unsaved changes joins them.
 */
export function useTakeConfig(
  { form, dirty }: EntityForm<OrganizationDraft, OrganizationValues>,
  { samlConfigId, loginMethod }: Choosable,
) {
  const useSignIn = useLocation({ select: ({ state }) => state.useSignIn })
  const choose = useSignIn === true && samlConfigId != null && loginMethod !== 'saml'
  useEffect(() => {
    if (choose) form.setValue('loginMethod', 'saml', { shouldDirty: true })
  }, [choose, form])
  const take = (id: number) => {
    if (dirty) form.setValue('samlConfigId', id, { shouldDirty: true })
  }
  return { chosen: choose, take }
}
