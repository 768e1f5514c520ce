import { useQuery } from '@tanstack/react-query'
import { createLink, Outlet } from '@tanstack/react-router'
import UserPlus from 'lucide-react/icons/user-plus'
import { useTranslation } from 'react-i18next'
import { users } from '#contract/users/users.ts'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { query } from '#web/lib/requests/query.ts'
import { Can } from '#web/lib/session/can.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { UserLink } from './user-link.tsx'
import { UsersList } from './users-list.tsx'
import { useAddressView } from './users-view.ts'

const CreateLink = createLink(LinkButton)

/** All users, for who reads them all; each opens in a dialog with its own address. */
export function UsersPage() {
  const { t } = useTranslation()
  return (
    <AdministrationPage
      action={
        <Can do="manageUsers">
          <CreateLink to="/users/create-user" search={true} state={openedFromPage} variant="primary" icon={UserPlus}>
            {t('createUser')}
          </CreateLink>
        </Can>
      }
    >
      <Everybody />
      <Outlet />
    </AdministrationPage>
  )
}

function Everybody() {
  const { t } = useTranslation()
  const view = useAddressView('/users')
  return (
    <UsersList
      caption={t('users')}
      searchLabel={t('searchUsersAndOrganizations')}
      textIfEmpty={t('noUsersYet')}
      view={view}
      found={useQuery(query(users.list, { query: { ...view.query, ...view.filters } }))}
      filterable="everybody"
      belongings="organizations"
      link={({ accountId }, name) => (
        <UserLink on="/users" accountId={accountId}>
          {name}
        </UserLink>
      )}
    />
  )
}
