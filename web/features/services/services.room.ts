import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import AppWindow from 'lucide-react/icons/app-window'
import ListOrdered from 'lucide-react/icons/list-ordered'
import Plus from 'lucide-react/icons/plus'
import { root } from '#web/lib/root-route.ts'
import { servicesSearch, signInSearch } from './services-search.ts'

const page = createRoute({
  getParentRoute: () => root,
  path: '/services',
  validateSearch: servicesSearch,
  component: lazyRouteComponent(() => import('./services-page.tsx'), 'ServicesPage'),
  staticData: {
    title: 'services',
    menu: 'administration',
    group: 'serviceAccess',
    place: 25,
    icon: AppWindow,
    permission: 'readServices',
  },
})

const create = createRoute({
  getParentRoute: () => page,
  path: 'create',
  component: lazyRouteComponent(() => import('./create-service-dialog.tsx'), 'CreateServiceDialog'),
  staticData: { title: 'createService', dialog: true, permission: 'manageServices', action: { icon: Plus } },
})

const order = createRoute({
  getParentRoute: () => page,
  path: 'order',
  component: lazyRouteComponent(() => import('./order-categories-dialog.tsx'), 'OrderCategoriesDialog'),
  staticData: { title: 'orderCategories', dialog: true, permission: 'manageServices', action: { icon: ListOrdered } },
})

const edit = createRoute({
  getParentRoute: () => page,
  path: '$serviceId',
  component: lazyRouteComponent(() => import('./service-dialogs.tsx'), 'EditServiceDialog'),
  staticData: { title: 'editService', dialog: true, permission: 'manageServices' },
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/services/$serviceId/sign-in',
  validateSearch: signInSearch,
  component: lazyRouteComponent(() => import('./client/sign-in-page.tsx'), 'ServiceSignInPage'),
  staticData: { title: 'serviceSignIn', permission: 'manageServices', reachedFrom: ['/services'] },
})

export const pages = [page.addChildren([create, order, edit]), signIn]
