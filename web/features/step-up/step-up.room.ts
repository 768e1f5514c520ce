import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '#web/lib/root-route.ts'

/** Asks for what an organisation demands beyond this session. */
export const enter = createRoute({
  getParentRoute: () => root,
  path: '/enter/$organizationId',
  validateSearch: ({ returnTo }: Record<string, unknown>): { returnTo?: string } =>
    typeof returnTo === 'string' ? { returnTo } : {},
  component: lazyRouteComponent(() => import('./enter-page.tsx'), 'EnterPage'),
  staticData: { title: 'stepUpTitle' },
})
