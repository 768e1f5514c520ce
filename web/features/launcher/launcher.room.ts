import { createRoute } from '@tanstack/react-router'
import { root } from '#web/lib/root-route.ts'
import { LauncherPage } from './launcher-page.tsx'
import { launcherSearch } from './launcher-search.ts'

/** The first page that users see, so it is the only one that is not loaded lazily. */
export const launcher = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: launcherSearch,
  component: LauncherPage,
  staticData: {
    title: 'overview',
    menu: 'bar',
  },
})
