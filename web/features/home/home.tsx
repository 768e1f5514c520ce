// The public interface of this room: what those who administer see around their services.
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { home } from '#contract/home/home.ts'
import { query } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { useCurrentOrganization, useSignedIn } from '#web/lib/session/signed-in.tsx'
import { HomePartMissing, HomeSkeleton } from './home-skeleton.tsx'

// Loaded on demand: most people administer nothing.
const load = async () => ({
  default: await import('./around-services.tsx').then(
    (loaded) => loaded.AroundServices,
    () => HomePartMissing,
  ),
})
const AroundServices = lazy(load)

/** The whole portal, or an organisation; undefined for someone who administers neither. */
export function useHomeScope(): { organizationId: string | undefined } | undefined {
  const can = useCan()
  const { membership } = useCurrentOrganization()
  if (can('administerEverything')) return { organizationId: undefined }
  return membership && can('readPeople', membership) ? membership : undefined
}

/** What needs doing and the figures of the whole portal, or of an organisation. */
export const homeQuery = (organizationId: string | undefined) =>
  organizationId === undefined ? query(home.ofPortal) : query(home.ofOrganization, { params: { id: organizationId } })

/**
 * What needs doing above someone's services, and the figures below.
 *
 * @param children the services; while they wait, they show their skeleton, because what stands above would push them down
 */
export function Home({ children }: { children: (waiting: boolean) => ReactNode }) {
  const { me, organizations, failure } = useSignedIn()
  const scope = useHomeScope()
  if (scope)
    return (
      <ScopedHome key={scope.organizationId} organizationId={scope.organizationId}>
        {children}
      </ScopedHome>
    )
  return children(!me.passwordMustChange && !me.mustEnrol && !organizations && !failure)
}

interface ScopedHomeProps {
  organizationId: string | undefined
  children: (waiting: boolean) => ReactNode
}

function ScopedHome({ organizationId, children }: ScopedHomeProps) {
  const found = useQuery(homeQuery(organizationId))
  const loading = found.isPending && found.failureCount === 0
  // Its script is on the way while the answer is.
  useEffect(() => void load(), [])
  const skeleton = <HomeSkeleton services={children(true)} />
  if (loading) return skeleton
  return (
    <Suspense fallback={skeleton}>
      <AroundServices found={found} organizationId={organizationId} services={children(false)} />
    </Suspense>
  )
}
