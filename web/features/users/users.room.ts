import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import UserCog from 'lucide-react/icons/user-cog'
import UserPlus from 'lucide-react/icons/user-plus'
import Users from 'lucide-react/icons/users'
import { InviteColleague } from '#web/features/invitations/invitations.room.ts'
import { root } from '#web/lib/root-route.ts'
import { userAdministrationSearch, usersSearch } from './users-search.ts'

const dialogs = () => import('./user-dialog-routes.tsx')
const createDialogs = () => import('./create-user-routes.tsx')

const everybody = createRoute({
  getParentRoute: () => root,
  path: '/users',
  validateSearch: usersSearch,
  component: lazyRouteComponent(() => import('./list/users-page.tsx'), 'UsersPage'),
  staticData: {
    title: 'users',
    menu: 'administration',
    group: 'customers',
    place: 90,
    icon: Users,
    permission: 'readAllUsers',
  },
})

const createAnybody = createRoute({
  getParentRoute: () => everybody,
  path: 'create-user',
  component: lazyRouteComponent(createDialogs, 'CreateAnyUser'),
  staticData: { title: 'createUser', dialog: true, permission: 'manageUsers', action: { icon: Plus } },
})

const editAnybody = createRoute({
  getParentRoute: () => everybody,
  path: '$accountId',
  component: lazyRouteComponent(dialogs, 'EditAnyUser'),
  staticData: { title: 'editUser', dialog: true },
})

const colleagues = createRoute({
  getParentRoute: () => root,
  path: '/user-administration',
  validateSearch: userAdministrationSearch,
  component: lazyRouteComponent(() => import('./list/user-administration-page.tsx'), 'UserAdministrationPage'),
  staticData: {
    title: 'userAdministration',
    menu: 'administration',
    group: 'customers',
    place: 20,
    icon: UserCog,
    permission: 'administerColleagues',
    find: () => import('./find-users.ts'),
  },
})

const createColleague = createRoute({
  getParentRoute: () => colleagues,
  path: 'create-user',
  component: lazyRouteComponent(createDialogs, 'CreateColleague'),
  staticData: { title: 'createUser', dialog: true },
})

const editColleague = createRoute({
  getParentRoute: () => colleagues,
  path: '$accountId',
  component: lazyRouteComponent(dialogs, 'EditColleague'),
  staticData: { title: 'editUser', dialog: true },
})

const inviteColleague = createRoute({
  getParentRoute: () => colleagues,
  path: 'invite/$organizationId',
  component: InviteColleague,
  staticData: {
    title: 'inviteUser',
    dialog: true,
    action: { icon: UserPlus, inOrganization: 'invitePeople' },
  },
})

const handOut = createRoute({
  getParentRoute: () => colleagues,
  path: 'hand-out/$serviceId',
  component: lazyRouteComponent(() => import('./actions/hand-out-service-dialog.tsx'), 'HandOutServiceDialog'),
  staticData: { title: 'handOutService', dialog: true },
})

export const pages = [
  everybody.addChildren([createAnybody, editAnybody]),
  colleagues.addChildren([createColleague, editColleague, inviteColleague, handOut]),
]
