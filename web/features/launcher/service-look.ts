/** The host of a service's address; an invalid address is shown unchanged. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

/** What tells services on one host apart: with their paths where the hosts alone do not. */
export function placeOf(url: string, all: readonly { url: string }[]): string {
  const host = hostOf(url)
  const shared = all.filter((one) => hostOf(one.url) === host).length > 1
  if (!shared || !URL.canParse(url)) return host
  const { pathname, search } = new URL(url)
  return host + (pathname + search).replace(/\/$/, '')
}

// Twelve distinguishable hues; the contrast of a tile is checked for each of them.
const hues = 12

/** The same name always has the same hue. */
export function hueOf(name: string): number {
  let sum = 0
  for (const sign of name) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 10_007
  return (sum % hues) * (360 / hues)
}
