import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import Users from 'lucide-react/icons/users'
import { root } from '#web/lib/root-route.ts'

const dialogs = () => import('./invite-dialog.tsx')

/** Opens above the list of organisations. */
export const InviteToOrganization = lazyRouteComponent(dialogs, 'InviteToOrganizationDialog')
/** Opens above the users of an organisation. */
export const InviteColleague = lazyRouteComponent(dialogs, 'InviteColleagueDialog')

// A page and not a dialog: a list of five hundred users needs the room.
const importPeople = createRoute({
  getParentRoute: () => root,
  path: '/user-administration/import/$organizationId',
  component: lazyRouteComponent(() => import('./import-page.tsx'), 'ImportPage'),
  staticData: { title: 'inviteMany', place: 50, action: { icon: Users, inOrganization: 'invitePeople' } },
})

export const pages = [importPeople]
