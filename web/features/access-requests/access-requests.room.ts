import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '#web/lib/root-route.ts'

const accessRequests = createRoute({
  getParentRoute: () => root,
  path: '/access-requests',
  validateSearch: ({ page }: Record<string, unknown>): { page?: number } =>
    /^[1-9][0-9]{0,8}$/.test(String(page)) && Number(page) > 1 ? { page: Number(page) } : {},
  component: lazyRouteComponent(() => import('./access-requests-page.tsx'), 'AccessRequestsPage'),
  staticData: { title: 'accessRequests', menu: 'bar', place: 30, permission: 'answerAccessRequests' },
})

export const pages = [accessRequests]
