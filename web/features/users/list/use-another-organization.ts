import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { storeOrganization } from '#web/lib/organization/current-organization.ts'
import { userAdministrationSearch } from '../users-search.ts'

/**
 * Resets the list when another organisation is selected: services and users are different there. A link that names an
 * organisation selects it and keeps its search parameters.
 */
export function useAnotherOrganization(organizationId: string | undefined): void {
  const navigate = useNavigate()
  const requested = useLocation({ select: ({ state }) => state.inOrganization })
  useEffect(() => {
    if (requested) storeOrganization(requested)
  }, [requested])
  const shown = useRef(organizationId)
  useEffect(() => {
    const before = shown.current
    shown.current = organizationId
    if (!before || before === organizationId || organizationId === requested) return
    void navigate({ to: '/user-administration', search: userAdministrationSearch({}), replace: true })
  }, [organizationId, requested, navigate])
}
