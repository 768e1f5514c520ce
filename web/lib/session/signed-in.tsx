import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useEffect, useMemo } from 'react'
import type { Actor } from '#contract/actor.ts'
import { launcher, type OwnAdminService } from '#contract/launcher/launcher.ts'
import type { CurrentUser, OwnMembership } from '#contract/session/session.ts'
import { storeOrganization, useStoredOrganization } from '#web/lib/organization/current-organization.ts'
import { currentMembership } from '#web/lib/organization/stored-organization.ts'
import { type Failure, useFailure } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'

interface SignedIn {
  me: CurrentUser
  /** Those that this session reaches. Undefined while they load. */
  organizations: readonly OwnMembership[] | undefined
  /** Those that ask for a stronger sign-in. */
  heldBack: readonly OwnMembership[]
  adminServices: readonly OwnAdminService[]
  /** Is it known what this person may, or why it cannot be? */
  settled: boolean
  /** Why the organisations could not be loaded, and how to ask again. */
  failure: Failure | undefined
}

const Context = createContext<SignedIn | null>(null)

/** Who is signed in, for everything below it. */
export function SignedInProvider({ me, children }: { me: CurrentUser; children: ReactNode }) {
  const params = { id: me.accountId }
  // Until a password that somebody else chose is changed, the server answers nothing else.
  const enabled = !me.passwordMustChange && !me.mustEnrol
  const organizations = useQuery({ ...query(launcher.organizations, { params }), enabled })
  const adminServices = useQuery({ ...query(launcher.adminServices, { params }), enabled })
  const failure = useFailure(organizations)
  const settled = !(organizations.isLoading || adminServices.isLoading)
  const reached = useMemo(() => organizations.data?.filter(({ needs }) => needs === null), [organizations.data])
  useKeepOrganization(reached)
  const value = useMemo(
    () => ({
      me,
      organizations: reached,
      heldBack: organizations.data?.filter(({ needs }) => needs !== null) ?? [],
      adminServices: adminServices.data ?? [],
      settled,
      failure: organizations.data ? undefined : failure,
    }),
    [me, reached, organizations.data, adminServices.data, settled, failure],
  )
  return <Context value={value}>{children}</Context>
}

/** Where nothing is chosen, or nothing that is still theirs, the first organisation becomes the stored choice. */
function useKeepOrganization(organizations: readonly OwnMembership[] | undefined) {
  const stored = useStoredOrganization()
  const current = organizations && currentMembership(organizations, stored)?.organizationId
  useEffect(() => {
    if (current && current !== stored) storeOrganization(current)
  }, [current, stored])
}

export function useSignedIn(): SignedIn {
  const value = use(Context)
  if (!value) throw new Error('nobody is signed in here')
  return value
}

/** The same actor that the server makes of this person. */
export function useActor(): Actor {
  const { me, organizations, adminServices } = useSignedIn()
  return useMemo(
    () => ({
      accountId: me.accountId,
      superUser: me.superUser,
      portalRole: me.portalRole,
      organizations: organizations ?? [],
      services: adminServices,
    }),
    [me, organizations, adminServices],
  )
}

/**
 * The chosen organisation, else the person's first. `id` is known before the rest where one was chosen earlier, so
 * that what hangs on it can load at once; `membership` is undefined while it loads, and without any organisation.
 */
export function useCurrentOrganization(): { id: string | undefined; membership: OwnMembership | undefined } {
  const stored = useStoredOrganization()
  const { organizations } = useSignedIn()
  if (!organizations) return { id: stored ?? undefined, membership: undefined }
  const membership = currentMembership(organizations, stored)
  return { id: membership?.organizationId, membership }
}
