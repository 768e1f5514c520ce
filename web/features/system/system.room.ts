import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '#web/lib/root-route.ts'

const system = createRoute({
  getParentRoute: () => root,
  path: '/system',
  component: lazyRouteComponent(() => import('./system-page.tsx'), 'SystemPage'),
  staticData: { title: 'system', menu: 'administration', group: 'operation', place: 140, permission: 'readSystem' },
})

export const pages = [system]
