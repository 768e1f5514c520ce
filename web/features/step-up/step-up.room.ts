import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { lazy } from 'react'
import { root } from '#web/lib/root-route.ts'

/** The dialog over whatever is open, for calls that ask for a fresh proof. */
export const ConfirmIdentity = lazy(() =>
  import('./confirm-identity.tsx').then((part) => ({ default: part.ConfirmIdentity })),
)

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
  validateSearch: ({ returnTo, factor }: Record<string, unknown>): { returnTo?: string; factor?: 'passkey' } => ({
    ...(typeof returnTo === 'string' && { returnTo }),
    // Nothing less will do.
    ...(factor === 'passkey' && { factor }),
  }),
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

/** Where a proof in another window ends. */
const confirmed = createRoute({
  getParentRoute: () => root,
  path: '/confirmed',
  component: lazyRouteComponent(() => import('./confirmed-page.tsx'), 'ConfirmedPage'),
  staticData: { title: 'confirmedTitle' },
})

export const pages = [enter, chooseOrganization, strongerSignIn, confirmed]

interface ChooseSearch {
  /** An authorization request. */
  returnTo?: string
  /** Ids, with blanks between them, in the order of the page. */
  organizations?: string
}
