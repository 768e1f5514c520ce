import { useQuery } from '@tanstack/react-query'
import { createLink } from '@tanstack/react-router'
import UserPlus from 'lucide-react/icons/user-plus'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Membership } from '#contract/session/session.ts'
import { users } from '#contract/users/users.ts'
import { ServiceOwners } from '#web/features/scoped-roles/scoped-roles.tsx'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { query } from '#web/lib/requests/query.ts'
import { Can, useCan } from '#web/lib/session/can.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { TakeBackService } from '../actions/take-back-service.tsx'
import { UserLink } from './user-link.tsx'
import { UsersList } from './users-list.tsx'
import { useAddressView } from './users-view.ts'

const HandOutLink = createLink(LinkButton)

interface ServiceUsersProps {
  organization: Membership
  service: { serviceId: string; name: string }
}

/** The users of a service in an organisation, with controls to assign and remove the service. */
export function ServiceUsers({ organization, service }: ServiceUsersProps) {
  const { t } = useTranslation()
  const can = useCan()
  const view = useAddressView('/user-administration')
  const { organizationId } = organization
  const params = { organizationId, serviceId: service.serviceId }
  return (
    <>
      <UsersList
        caption={t('usersOf', { name: service.name })}
        searchLabel={t('searchUsers')}
        textIfEmpty={t('nobodyHasService', { name: service.name })}
        view={view}
        found={useQuery(query(users.ofService, { params, query: view.query }))}
        belongings={can('manageUsers') ? 'organizations' : 'services'}
        tools={
          <Can do="handOutService" to={params}>
            <HandOutLink
              to="/user-administration/hand-out/$serviceId"
              params={{ serviceId: service.serviceId }}
              search={true}
              state={openedFromPage}
              icon={UserPlus}
              full="mobile"
            >
              {t('handOutService')}
            </HandOutLink>
          </Can>
        }
        link={({ accountId }, label) => (
          <UserLink on="/user-administration" accountId={accountId}>
            {label}
          </UserLink>
        )}
        action={{
          header: t('takeServiceBack'),
          // Only who appoints service admins takes the service from one of them, also for the own row.
          cell: (user) =>
            can('handOutService', params) &&
            (can('appointServiceAdmins', params) ||
              user.services.every((one) => one.serviceId !== service.serviceId || one.userRole === 'regular')) && (
              <TakeBackService organizationId={organizationId} service={service} user={user} />
            ),
        }}
      />
      {can('nameServiceOwners', { organizationId }) && (
        <Suspense fallback={null}>
          <ServiceOwners {...params} organization={organization.name} />
        </Suspense>
      )}
    </>
  )
}
