import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '#web/lib/root-route.ts'

/** What an organisation shows its people. */
const brand = createRoute({
  getParentRoute: () => root,
  path: '/organization-brand/$organizationId',
  component: lazyRouteComponent(() => import('./brand-page.tsx'), 'BrandPage'),
  staticData: { title: 'organizationBrand', reachedFrom: ['/my-organization', '/organization-settings'] },
})

export const pages = [brand]
