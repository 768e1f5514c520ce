import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import ScrollText from 'lucide-react/icons/scroll-text'
import { root } from '#web/lib/root-route.ts'
import { auditEventsSearch } from './audit-events-search.ts'

const page = createRoute({
  getParentRoute: () => root,
  path: '/audit-events',
  validateSearch: auditEventsSearch,
  component: lazyRouteComponent(() => import('./audit-events-page.tsx'), 'AuditEventsPage'),
  staticData: {
    title: 'auditEvents',
    menu: 'administration',
    group: 'operation',
    place: 120,
    icon: ScrollText,
    permission: 'readAuditEvents',
  },
})

const detail = createRoute({
  getParentRoute: () => page,
  path: '$id',
  component: lazyRouteComponent(() => import('./audit-event-dialog.tsx'), 'AuditEventDialog'),
  staticData: { title: 'auditEvent', dialog: true },
})

export const pages = [page.addChildren([detail])]
