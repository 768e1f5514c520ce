import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import { root } from '#web/lib/root-route.ts'
import { openReviewsSearch, reviewSearch } from './review-search.ts'

const ownReview = createRoute({
  getParentRoute: () => root,
  path: '/access-review',
  validateSearch: reviewSearch,
  component: lazyRouteComponent(() => import('./access-review-page.tsx'), 'OwnReviewPage'),
  staticData: {
    title: 'accessReview',
    menu: 'administration',
    group: 'serviceAccess',
    place: 40,
    icon: ClipboardCheck,
    permission: 'reviewAccess',
    used: 'accessReview',
  },
})

const openReviews = createRoute({
  getParentRoute: () => root,
  path: '/access-reviews',
  validateSearch: openReviewsSearch,
  component: lazyRouteComponent(() => import('./open-reviews-page.tsx'), 'OpenReviewsPage'),
  staticData: {
    title: 'accessReviews',
    menu: 'administration',
    group: 'serviceAccess',
    place: 65,
    icon: ClipboardCheck,
    permission: 'listAccessReviews',
  },
})

// For super users, and for members who are asked for a part: a mail and the launcher lead here.
const oneReview = createRoute({
  getParentRoute: () => root,
  path: '/access-reviews/$organizationId',
  validateSearch: reviewSearch,
  component: lazyRouteComponent(() => import('./access-review-page.tsx'), 'OrganizationReviewPage'),
  staticData: { title: 'accessReview', reachedFrom: ['/access-reviews'] },
})

export const pages = [ownReview, openReviews, oneReview]
