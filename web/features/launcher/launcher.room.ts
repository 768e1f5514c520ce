import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '#web/lib/root-route.ts'
import { LauncherPage } from './launcher-page.tsx'
import { launcherSearch } from './launcher-search.ts'

/** The first page that users see, so it is the only one that is not loaded lazily. */
const launcher = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: launcherSearch,
  component: LauncherPage,
  staticData: {
    title: 'overview',
    menu: 'bar',
    place: 10,
  },
})

/** Where `/launch/{serviceId}` leads without access. */
const noAccess = createRoute({
  getParentRoute: () => root,
  path: '/no-access/$serviceId',
  validateSearch: ({ organizationId }: Record<string, unknown>): { organizationId?: string } =>
    typeof organizationId === 'string' ? { organizationId } : {},
  component: lazyRouteComponent(() => import('./no-access-page.tsx'), 'NoAccessPage'),
  staticData: { title: 'noSuchService' },
})

export const pages = [launcher, noAccess]
