import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '#web/lib/root-route.ts'

const dialogs = () => import('./role-dialogs.tsx')

const page = createRoute({
  getParentRoute: () => root,
  path: '/services/$serviceId/roles',
  component: lazyRouteComponent(() => import('./roles-page.tsx'), 'ServiceRolesPage'),
  staticData: { title: 'serviceRoles', permission: 'manageServices', reachedFrom: ['/services'] },
})

const create = createRoute({
  getParentRoute: () => page,
  path: 'create',
  component: lazyRouteComponent(dialogs, 'CreateRoleDialog'),
  staticData: { title: 'createServiceRole', dialog: true },
})

const edit = createRoute({
  getParentRoute: () => page,
  path: '$roleId',
  component: lazyRouteComponent(dialogs, 'EditRoleDialog'),
  staticData: { title: 'editServiceRole', dialog: true },
})

const importing = createRoute({
  getParentRoute: () => page,
  path: 'from-file',
  component: lazyRouteComponent(() => import('./import-roles-dialog.tsx'), 'ImportRolesDialog'),
  staticData: { title: 'rolesImportTitle', dialog: true },
})

export const pages = [page.addChildren([create, importing, edit])]
