import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import Inbox from 'lucide-react/icons/inbox'
import { root } from '#web/lib/root-route.ts'

const accessRequests = createRoute({
  getParentRoute: () => root,
  path: '/access-requests',
  validateSearch: ({ page }: Record<string, unknown>): { page?: number } =>
    /^[1-9][0-9]{0,8}$/.test(String(page)) && Number(page) > 1 ? { page: Number(page) } : {},
  component: lazyRouteComponent(() => import('./access-requests-page.tsx'), 'AccessRequestsPage'),
  staticData: {
    title: 'accessRequests',
    menu: 'administration',
    group: 'serviceAccess',
    place: 30,
    icon: Inbox,
    permission: 'answerAccessRequests',
    used: 'accessRequests',
  },
})

export const pages = [accessRequests]
