import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Membership } from '#contract/session/session.ts'
import { users } from '#contract/users/users.ts'
import { query } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { UserLink } from './user-link.tsx'
import { UsersList } from './users-list.tsx'
import { useAddressView } from './users-view.ts'

/** All users of an organisation. */
export function OrganizationUsers({ organization: { organizationId, name } }: { organization: Membership }) {
  const { t } = useTranslation()
  const can = useCan()
  const view = useAddressView('/user-administration')
  return (
    <UsersList
      caption={t('usersOf', { name })}
      searchLabel={t('searchUsers')}
      textIfEmpty={t('noUsersYet')}
      view={view}
      found={useQuery(
        query(users.ofOrganization, { params: { id: organizationId }, query: { ...view.query, ...view.filters } }),
      )}
      filterable={{ organizationId }}
      belongings={can('manageUsers') ? 'organizations' : 'services'}
      link={({ accountId }, label) => (
        <UserLink on="/user-administration" accountId={accountId}>
          {label}
        </UserLink>
      )}
    />
  )
}
