import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import { root } from '#web/lib/root-route.ts'

const accessReview = createRoute({
  getParentRoute: () => root,
  path: '/access-review',
  validateSearch: ({ page }: Record<string, unknown>): { page?: number } =>
    /^[1-9][0-9]{0,8}$/.test(String(page)) && Number(page) > 1 ? { page: Number(page) } : {},
  component: lazyRouteComponent(() => import('./access-review-page.tsx'), 'AccessReviewPage'),
  staticData: {
    title: 'accessReview',
    menu: 'administration',
    place: 40,
    icon: ClipboardCheck,
    permission: 'reviewAccess',
  },
})

export const pages = [accessReview]
