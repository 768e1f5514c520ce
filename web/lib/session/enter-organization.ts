import { useRouter } from '@tanstack/react-router'
import { storeOrganization } from '#web/lib/organization/current-organization.ts'
import { useSignedIn } from './signed-in.tsx'

/** Chooses an organisation. One that asks for a stronger sign-in asks first, and comes back here. */
export function useEnter(): (organizationId: string) => void {
  const router = useRouter()
  const { heldBack } = useSignedIn()
  return (organizationId) => {
    if (!heldBack.some((one) => one.organizationId === organizationId)) return storeOrganization(organizationId)
    const { pathname, searchStr } = router.state.location
    void router.navigate({
      to: '/enter/$organizationId',
      params: { organizationId },
      search: { returnTo: pathname + searchStr },
    })
  }
}
