import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { userAdministrationSearch } from './users-search.ts'

/** Another organisation has other services and other people: its list begins at its beginning. */
export function useAnotherOrganization(organizationId: string | undefined): void {
  const navigate = useNavigate()
  const shown = useRef(organizationId)
  useEffect(() => {
    const before = shown.current
    shown.current = organizationId
    if (!before || before === organizationId) return
    void navigate({ to: '/user-administration', search: userAdministrationSearch({}), replace: true })
  }, [organizationId, navigate])
}
