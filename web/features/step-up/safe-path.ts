/** A path of this origin; anything else leads to the start page. */
export function safePath(returnTo = '/'): string {
  const target = URL.parse(returnTo, location.origin)
  // `//host` as a path would be another host.
  const isOurs = target?.origin === location.origin && !target.pathname.startsWith('//')
  return isOurs ? target.pathname + target.search : '/'
}
