import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { users } from '#contract/users/users.ts'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { query } from '#web/lib/requests/query.ts'
import { UsersList } from './users-list.tsx'
import { useLocalView } from './users-view.ts'

/** The users of an organisation in its dialog; each opens above it. */
export function OrganizationPeople({ organization }: { organization: { organizationId: string; name: string } }) {
  const { t } = useTranslation()
  const view = useLocalView()
  const { organizationId, name } = organization
  return (
    <UsersList
      caption={t('usersOf', { name })}
      searchLabel={t('searchUsers')}
      textIfEmpty={t('noUsersYet')}
      view={view}
      found={useQuery(query(users.ofOrganization, { params: { id: organizationId }, query: view.query }))}
      link={({ accountId }, label) => (
        <Link
          to="/organization-settings/$organizationId/$accountId"
          params={{ organizationId, accountId }}
          search={true}
          state={openedFromPage}
        >
          {label}
        </Link>
      )}
    />
  )
}
