import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { accountSearch } from '#web/features/account/account-search.ts'
import { LauncherPage } from '#web/features/launcher/launcher-page.tsx'
import { launcherSearch } from '#web/features/launcher/launcher-search.ts'
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

export const rooms = [overview, account]
