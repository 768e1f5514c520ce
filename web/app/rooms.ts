import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { accountSearch } from '#web/features/account/account-search.ts'
import { LauncherPage } from '#web/features/launcher/launcher-page.tsx'
import { launcherSearch } from '#web/features/launcher/launcher-search.ts'
import { organizationsSearch } from '#web/features/organizations/organizations-search.ts'
import { servicesSearch } from '#web/features/services/services-search.ts'
import { userAdministrationSearch, usersSearch } from '#web/features/users/users-search.ts'
import { root } from './root-route.ts'

// One route per screen of contract/screens.ts; a test compares the two. Every screen but the first one people see is
// lazy: `component: lazyRouteComponent(() => import('#web/features/…'), 'UsersPage')`.
const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: launcherSearch,
  component: LauncherPage,
  staticData: { title: 'overview' },
})

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  validateSearch: accountSearch,
  component: lazyRouteComponent(() => import('#web/features/account/account-page.tsx'), 'AccountPage'),
  staticData: { title: 'accountSettings' },
})

const organizations = createRoute({
  getParentRoute: () => root,
  path: '/organization-settings',
  validateSearch: organizationsSearch,
  component: lazyRouteComponent(
    () => import('#web/features/organizations/organizations-page.tsx'),
    'OrganizationsPage',
  ),
  staticData: { title: 'organizations' },
})

const createOrganization = createRoute({
  getParentRoute: () => organizations,
  path: 'create',
  component: lazyRouteComponent(
    () => import('#web/features/organizations/create-organization-dialog.tsx'),
    'CreateOrganizationDialog',
  ),
  staticData: { title: 'createOrganization', dialog: true },
})

const editOrganization = createRoute({
  getParentRoute: () => organizations,
  path: '$organizationId',
  component: lazyRouteComponent(
    () => import('#web/features/organizations/edit-organization-dialog.tsx'),
    'EditOrganizationDialog',
  ),
  staticData: { title: 'editOrganization', dialog: true },
})

const inviteDialogs = () => import('#web/features/invitations/invite-dialog.tsx')

const inviteToOrganization = createRoute({
  getParentRoute: () => organizations,
  path: 'invite/$organizationId',
  component: lazyRouteComponent(inviteDialogs, 'InviteToOrganizationDialog'),
  staticData: { title: 'inviteUser', dialog: true },
})

const organizationUser = createRoute({
  getParentRoute: () => editOrganization,
  path: '$accountId',
  component: lazyRouteComponent(
    () => import('#web/features/organizations/organization-user-dialog.tsx'),
    'OrganizationUserDialog',
  ),
  staticData: { title: 'editUser', dialog: true },
})

const services = createRoute({
  getParentRoute: () => root,
  path: '/services',
  validateSearch: servicesSearch,
  component: lazyRouteComponent(() => import('#web/features/services/services-page.tsx'), 'ServicesPage'),
  staticData: { title: 'services' },
})

const createService = createRoute({
  getParentRoute: () => services,
  path: 'create',
  component: lazyRouteComponent(
    () => import('#web/features/services/create-service-dialog.tsx'),
    'CreateServiceDialog',
  ),
  staticData: { title: 'createService', dialog: true },
})

const editService = createRoute({
  getParentRoute: () => services,
  path: '$serviceId',
  component: lazyRouteComponent(() => import('#web/features/services/edit-service-dialog.tsx'), 'EditServiceDialog'),
  staticData: { title: 'editService', dialog: true },
})

const users = createRoute({
  getParentRoute: () => root,
  path: '/users',
  validateSearch: usersSearch,
  component: lazyRouteComponent(() => import('#web/features/users/users-page.tsx'), 'UsersPage'),
  staticData: { title: 'users' },
})

const userAdministration = createRoute({
  getParentRoute: () => root,
  path: '/user-administration',
  validateSearch: userAdministrationSearch,
  component: lazyRouteComponent(
    () => import('#web/features/users/user-administration-page.tsx'),
    'UserAdministrationPage',
  ),
  staticData: { title: 'userAdministration' },
})

const userDialogs = () => import('#web/features/users/user-dialog-routes.tsx')

const createAnybody = createRoute({
  getParentRoute: () => users,
  path: 'create-user',
  component: lazyRouteComponent(userDialogs, 'CreateAnybody'),
  staticData: { title: 'createUser', dialog: true },
})

const editAnybody = createRoute({
  getParentRoute: () => users,
  path: '$accountId',
  component: lazyRouteComponent(userDialogs, 'EditAnybody'),
  staticData: { title: 'editUser', dialog: true },
})

const createColleague = createRoute({
  getParentRoute: () => userAdministration,
  path: 'create-user',
  component: lazyRouteComponent(userDialogs, 'CreateColleague'),
  staticData: { title: 'createUser', dialog: true },
})

const editColleague = createRoute({
  getParentRoute: () => userAdministration,
  path: '$accountId',
  component: lazyRouteComponent(userDialogs, 'EditColleague'),
  staticData: { title: 'editUser', dialog: true },
})

const inviteColleague = createRoute({
  getParentRoute: () => userAdministration,
  path: 'invite/$organizationId',
  component: lazyRouteComponent(inviteDialogs, 'InviteColleagueDialog'),
  staticData: { title: 'inviteUser', dialog: true },
})

// A page of its own: a list of five hundred people has no place in a dialog.
const importPeople = createRoute({
  getParentRoute: () => root,
  path: '/user-administration/import/$organizationId',
  component: lazyRouteComponent(() => import('#web/features/invitations/import-page.tsx'), 'ImportPage'),
  staticData: { title: 'inviteMany' },
})

const handOutService = createRoute({
  getParentRoute: () => userAdministration,
  path: 'hand-out/$serviceId',
  component: lazyRouteComponent(
    () => import('#web/features/users/hand-out-service-dialog.tsx'),
    'HandOutServiceDialog',
  ),
  staticData: { title: 'handOutService', dialog: true },
})

export const rooms = [
  overview,
  account,
  organizations.addChildren([
    createOrganization,
    inviteToOrganization,
    editOrganization.addChildren([organizationUser]),
  ]),
  services.addChildren([createService, editService]),
  users.addChildren([createAnybody, editAnybody]),
  userAdministration.addChildren([createColleague, editColleague, inviteColleague, handOutService]),
  importPeople,
]
