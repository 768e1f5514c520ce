import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { launcher } from '#contract/launcher/launcher.ts'
import type { Membership } from '#contract/session/session.ts'
import { LoadingFailure, useFailure } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { NoAccess } from '#web/lib/session/no-access.tsx'
import { useCurrentOrganization, useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { PageHeading } from '#web/ui/frame/page.tsx'
import { AddUserLinks } from './add-user-links.tsx'
import { ColleagueTabs } from './colleague-tabs.tsx'
import { NothingToAdminister } from './nothing-to-administer.tsx'
import { useAnotherOrganization } from './use-another-organization.ts'

/** The users of the current organisation, for its admins and its service admins. */
export function UserAdministrationPage() {
  const { t } = useTranslation()
  const can = useCan()
  const { me, settled, failure } = useSignedIn()
  const { membership } = useCurrentOrganization()
  const adminServices = useQuery(query(launcher.adminServices, { params: { id: me.accountId } }))
  useAnotherOrganization(membership?.organizationId)
  const adminFailure = useFailure(adminServices)
  const failed = failure ?? adminFailure
  if (!can('administerUsers') && !failed) return settled ? <NoAccess /> : null
  const invites = membership && can('readPeople', membership)
  return (
    <>
      <PageHeading
        title={t('userAdministration')}
        beside={membership && <Badge>{membership.name}</Badge>}
        action={invites && <AddUserLinks organizationId={membership.organizationId} />}
      />
      {failed ? <LoadingFailure {...failed} /> : settled && <People membership={membership} />}
      <Outlet />
    </>
  )
}

function People({ membership }: { membership: Membership | undefined }) {
  const can = useCan()
  if (!membership || !can('administerUsers', membership)) return <NothingToAdminister organization={membership?.name} />
  return <ColleagueTabs key={membership.organizationId} organization={membership} />
}
