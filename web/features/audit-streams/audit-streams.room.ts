import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '#web/lib/root-route.ts'

const page = createRoute({
  getParentRoute: () => root,
  path: '/audit-streams',
  component: lazyRouteComponent(() => import('./audit-streams-page.tsx'), 'AuditStreamsPage'),
  staticData: {
    title: 'auditStreams',
    menu: 'administration',
    group: 'operation',
    place: 130,
    permission: 'manageAuditStreams',
  },
})

const create = createRoute({
  getParentRoute: () => page,
  path: 'create',
  component: lazyRouteComponent(() => import('./create-stream-dialog.tsx'), 'CreateStreamDialog'),
  staticData: { title: 'createAuditStream', dialog: true },
})

const detail = createRoute({
  getParentRoute: () => page,
  path: '$streamId',
  component: lazyRouteComponent(() => import('./stream-dialog.tsx'), 'StreamDialog'),
  staticData: { title: 'auditStream', dialog: true },
})

export const pages = [page.addChildren([create, detail])]
