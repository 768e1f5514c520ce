import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { storeOrganization } from '#web/lib/current-organization.ts'
import { userAdministrationSearch } from './users-search.ts'

/**
 * Another organisation has other services and other people: its list begins at its beginning. Whoever was led to
 * something in a certain organisation sees that one, with what they were led to.
 */
export function useAnotherOrganization(organizationId: string | undefined): void {
  const navigate = useNavigate()
  const meant = useLocation({ select: ({ state }) => state.inOrganization })
  useEffect(() => {
    if (meant) storeOrganization(meant)
  }, [meant])
  const shown = useRef(organizationId)
  useEffect(() => {
    const before = shown.current
    shown.current = organizationId
    if (!before || before === organizationId || organizationId === meant) return
    void navigate({ to: '/user-administration', search: userAdministrationSearch({}), replace: true })
  }, [organizationId, meant, navigate])
}
