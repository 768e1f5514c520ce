import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import AppWindow from 'lucide-react/icons/app-window'
import Plus from 'lucide-react/icons/plus'
import { root } from '#web/lib/root-route.ts'
import { servicesSearch } from './services-search.ts'

const dialogs = () => import('./service-dialogs.tsx')

const page = createRoute({
  getParentRoute: () => root,
  path: '/services',
  validateSearch: servicesSearch,
  component: lazyRouteComponent(() => import('./services-page.tsx'), 'ServicesPage'),
  staticData: { title: 'services', menu: 'administration', icon: AppWindow, permission: 'manageServices' },
})

const create = createRoute({
  getParentRoute: () => page,
  path: 'create',
  component: lazyRouteComponent(dialogs, 'CreateServiceDialog'),
  staticData: { title: 'createService', dialog: true, action: { icon: Plus } },
})

const edit = createRoute({
  getParentRoute: () => page,
  path: '$serviceId',
  component: lazyRouteComponent(dialogs, 'EditServiceDialog'),
  staticData: { title: 'editService', dialog: true },
})

export const services = page.addChildren([create, edit])
