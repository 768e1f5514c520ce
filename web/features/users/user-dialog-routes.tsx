import { getRouteApi } from '@tanstack/react-router'
import { useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useCurrentOrganization } from '#web/lib/session/signed-in.tsx'
import { PersonElsewhere } from './person-elsewhere.tsx'
import { EditUserDialog } from './users.tsx'

const usersRoute = getRouteApi('/users/$accountId')
const colleaguesRoute = getRouteApi('/user-administration/$accountId')

/** /users/$accountId */
export function EditAnyUser() {
  const { accountId } = usersRoute.useParams()
  return <EditUserDialog key={accountId} accountId={accountId} onClose={useCloseDialog('/users')} />
}

/** /user-administration/$accountId */
export function EditColleague() {
  const { accountId } = colleaguesRoute.useParams()
  const { tab } = colleaguesRoute.useSearch()
  const { id, membership } = useCurrentOrganization()
  const close = useCloseDialog('/user-administration')
  const here = { accountId, organizationId: id, onClose: close }
  const elsewhere = membership && <PersonElsewhere accountId={accountId} organization={membership} onClose={close} />
  if (!tab) return <EditUserDialog key={accountId} {...here} otherwise={elsewhere} />
  // The user may have lost the service of this tab, but still belong to the organisation.
  const withoutIt = <EditUserDialog {...here} otherwise={elsewhere} />
  return <EditUserDialog key={accountId} {...here} serviceId={tab} otherwise={withoutIt} />
}
