import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { root } from '#web/lib/root-route.ts'

const dialogs = () => import('./notice-dialogs.tsx')

const page = createRoute({
  getParentRoute: () => root,
  path: '/notices',
  component: lazyRouteComponent(() => import('./notices-page.tsx'), 'NoticesPage'),
  staticData: { title: 'notices', menu: 'administration', group: 'messages', place: 100, permission: 'manageNotices' },
})

const create = createRoute({
  getParentRoute: () => page,
  path: 'create',
  component: lazyRouteComponent(dialogs, 'CreateNoticeDialog'),
  staticData: { title: 'createNotice', dialog: true, action: { icon: Plus } },
})

const edit = createRoute({
  getParentRoute: () => page,
  path: '$noticeId',
  component: lazyRouteComponent(dialogs, 'EditNoticeDialog'),
  staticData: { title: 'editNotice', dialog: true },
})

export const pages = [page.addChildren([create, edit])]
