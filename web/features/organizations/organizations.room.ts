import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import Building2 from 'lucide-react/icons/building-complex'
import Plus from 'lucide-react/icons/plus'
import { InviteToOrganization } from '#web/features/invitations/invitations.room.ts'
import { root } from '#web/lib/root-route.ts'
import { organizationsSearch } from './organizations-search.ts'

const page = createRoute({
  getParentRoute: () => root,
  path: '/organization-settings',
  validateSearch: organizationsSearch,
  component: lazyRouteComponent(() => import('./organizations-page.tsx'), 'OrganizationsPage'),
  staticData: {
    title: 'organizations',
    menu: 'administration',
    group: 'customers',
    place: 60,
    icon: Building2,
    permission: 'readOrganizations',
    find: () => import('./find-organizations.ts'),
  },
})

/** What the admins of an organisation settle once, and seldom change. */
const own = createRoute({
  getParentRoute: () => root,
  path: '/my-organization',
  component: lazyRouteComponent(() => import('./own-organization-page.tsx'), 'OwnOrganizationPage'),
  staticData: {
    title: 'ownOrganization',
    menu: 'administration',
    group: 'customers',
    place: 24,
    icon: Building2,
    permission: 'readOwnSettings',
  },
})

const create = createRoute({
  getParentRoute: () => page,
  path: 'create',
  component: lazyRouteComponent(() => import('./create-organization-dialog.tsx'), 'CreateOrganizationDialog'),
  staticData: { title: 'createOrganization', dialog: true, permission: 'manageOrganizations', action: { icon: Plus } },
})

const edit = createRoute({
  getParentRoute: () => page,
  path: '$organizationId',
  component: lazyRouteComponent(() => import('./edit-organization-dialog.tsx'), 'EditOrganizationDialog'),
  staticData: { title: 'editOrganization', dialog: true },
})

const editPerson = createRoute({
  getParentRoute: () => edit,
  path: '$accountId',
  component: lazyRouteComponent(() => import('./organization-user-dialog.tsx'), 'OrganizationUserDialog'),
  staticData: { title: 'editUser', dialog: true },
})

const signInDialogs = () => import('./organization-sign-in-dialogs.tsx')

const signIn = createRoute({
  getParentRoute: () => edit,
  path: 'sign-in',
  component: lazyRouteComponent(signInDialogs, 'PrepareSignInDialog'),
  staticData: { title: 'createSamlConfig', dialog: true, permission: 'manageOrganizations' },
})

const signInLink = createRoute({
  getParentRoute: () => edit,
  path: 'sign-in-link',
  component: lazyRouteComponent(signInDialogs, 'SignInLinkDialog'),
  staticData: { title: 'createSetupLink', dialog: true, permission: 'manageOrganizations' },
})

const invite = createRoute({
  getParentRoute: () => page,
  path: 'invite/$organizationId',
  component: InviteToOrganization,
  staticData: { title: 'inviteUser', dialog: true, permission: 'manageOrganizations' },
})

export const pages = [own, page.addChildren([create, invite, edit.addChildren([editPerson, signIn, signInLink])])]
