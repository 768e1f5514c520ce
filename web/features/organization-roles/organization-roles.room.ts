import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '#web/lib/root-route.ts'

const dialogs = () => import('./role-dialogs.tsx')

const page = createRoute({
  getParentRoute: () => root,
  path: '/roles/$organizationId',
  component: lazyRouteComponent(() => import('./roles-page.tsx'), 'OrganizationRolesPage'),
  staticData: { title: 'organizationRoles', reachedFrom: ['/my-organization', '/users'] },
})

const create = createRoute({
  getParentRoute: () => page,
  path: 'create',
  component: lazyRouteComponent(dialogs, 'CreateRoleDialog'),
  staticData: { title: 'createOrganizationRole', dialog: true },
})

const edit = createRoute({
  getParentRoute: () => page,
  path: '$roleId',
  component: lazyRouteComponent(dialogs, 'EditRoleDialog'),
  staticData: { title: 'editOrganizationRole', dialog: true },
})

export const pages = [page.addChildren([create, edit])]
