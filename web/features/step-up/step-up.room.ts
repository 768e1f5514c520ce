import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '#web/lib/root-route.ts'

/** Asks for what an organisation demands beyond this session. */
const enter = createRoute({
  getParentRoute: () => root,
  path: '/enter/$organizationId',
  validateSearch: ({ returnTo }: Record<string, unknown>): { returnTo?: string } =>
    typeof returnTo === 'string' ? { returnTo } : {},
  component: lazyRouteComponent(() => import('./enter-page.tsx'), 'EnterPage'),
  staticData: { title: 'stepUpTitle' },
})

/** Asks for the second factor that a service wants. */
const strongerSignIn = createRoute({
  getParentRoute: () => root,
  path: '/stronger-sign-in',
  validateSearch: ({ returnTo }: Record<string, unknown>): { returnTo?: string } =>
    typeof returnTo === 'string' ? { returnTo } : {},
  component: lazyRouteComponent(() => import('./stronger-sign-in-page.tsx'), 'StrongerSignInPage'),
  staticData: { title: 'stepUpTitle' },
})

/** Asks for which organisation a service is entered. */
const chooseOrganization = createRoute({
  getParentRoute: () => root,
  path: '/choose-organization',
  validateSearch: ({ returnTo, organizations }: Record<string, unknown>): ChooseSearch => ({
    ...(typeof returnTo === 'string' && { returnTo }),
    ...(typeof organizations === 'string' && { organizations }),
  }),
  component: lazyRouteComponent(() => import('./choose-organization-page.tsx'), 'ChooseOrganizationPage'),
  staticData: { title: 'chooseOrganizationTitle' },
})

export const pages = [enter, chooseOrganization, strongerSignIn]

interface ChooseSearch {
  /** An authorization request. */
  returnTo?: string
  /** Ids, with blanks between them, in the order of the page. */
  organizations?: string
}
