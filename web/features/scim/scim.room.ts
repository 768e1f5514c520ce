import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '#web/lib/root-route.ts'

/** The directory of an organisation, which sends its people. */
const directory = createRoute({
  getParentRoute: () => root,
  path: '/organization-directory/$organizationId',
  component: lazyRouteComponent(() => import('./directory-page.tsx'), 'DirectoryPage'),
  staticData: { title: 'organizationDirectory', reachedFrom: ['/my-organization', '/organization-settings'] },
})

export const pages = [directory]
