import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '#web/lib/root-route.ts'

/** What an organisation asks of the sign-in of its people. */
const rules = createRoute({
  getParentRoute: () => root,
  path: '/sign-in-rules/$organizationId',
  component: lazyRouteComponent(() => import('./sign-in-rules-page.tsx'), 'SignInRulesPage'),
  staticData: { title: 'signInRules', reachedFrom: ['/my-organization', '/organization-settings'] },
})

export const pages = [rules]
