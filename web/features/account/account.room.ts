import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import CircleUser from 'lucide-react/icons/circle-user'
import { root } from '#web/lib/root-route.ts'
import { accountSearch } from './account-search.ts'

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  validateSearch: accountSearch,
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
  staticData: { title: 'accountSettings', menu: 'account', place: 150, icon: CircleUser },
})

export const pages = [account]
