import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import UsersRound from 'lucide-react/icons/users-round'
import { listSearch } from '#web/lib/lists/list-search.ts'
import { root } from '#web/lib/root-route.ts'

const dialogs = () => import('./group-dialogs.tsx')

/** Whose groups: by default those of the chosen organisation. */
const ofOrganization = ({ organizationId }: Record<string, unknown>): { organizationId?: string | undefined } => ({
  organizationId: /^[0-9a-f-]{36}$/.test(String(organizationId)) ? String(organizationId) : undefined,
})

const all = createRoute({
  getParentRoute: () => root,
  path: '/groups',
  validateSearch: ofOrganization,
  component: lazyRouteComponent(() => import('./groups-page.tsx'), 'GroupsPage'),
  staticData: {
    title: 'groups',
    menu: 'administration',
    group: 'customers',
    place: 22,
    icon: UsersRound,
    permission: 'listGroups',
    used: 'groups',
  },
})

const create = createRoute({
  getParentRoute: () => all,
  path: 'create',
  component: lazyRouteComponent(dialogs, 'CreateGroupDialog'),
  staticData: { title: 'createGroup', dialog: true, action: { icon: Plus, inOrganization: 'manageGroups' } },
})

const one = createRoute({
  getParentRoute: () => root,
  path: '/groups/$groupId',
  validateSearch: listSearch(['email']),
  component: lazyRouteComponent(() => import('./group-page.tsx'), 'GroupPage'),
  staticData: { title: 'group', permission: 'listGroups', reachedFrom: ['/groups'] },
})

const edit = createRoute({
  getParentRoute: () => one,
  path: 'edit',
  component: lazyRouteComponent(dialogs, 'EditGroupDialog'),
  staticData: { title: 'editGroup', dialog: true, permission: 'manageGroups' },
})

export const pages = [all.addChildren([create]), one.addChildren([edit])]
