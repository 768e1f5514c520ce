import { forgetOrganizationOnce } from '#web/lib/organization/stored-organization.ts'
import { isSigningOut } from './sign-out.tsx'

/** Where the sign-in brings people back to. */
const returnTo = () => location.pathname + location.search

/** Leaves the page for the sign-in; the promise never settles, because nothing here is to go on. */
export function leaveForSignIn(): Promise<never> {
  // A person who signs out is leaving already: another way would cut off the answer that takes them along.
  if (!isSigningOut()) {
    forgetOrganizationOnce()
    location.replace(`/login?${new URLSearchParams({ returnTo: returnTo() })}`)
  }
  return new Promise(() => {})
}

/**
 * Did this page load come out of a chain of our own redirects, as after a sign-in? Then another trip to the sign-in
 * would come straight back: it is time to show what is wrong instead of going round in circles.
 */
export function arrivedByRedirect(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return (navigation?.redirectCount ?? 0) > 0
}
