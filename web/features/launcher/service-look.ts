/** Where a service's link leads, in short; an address that is none is shown as it is. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

// Twelve hues that the eye keeps apart; every hue of a tile has been checked for contrast.
const hues = 12

/** The same name has the same hue everywhere. */
export function hueOf(name: string): number {
  let sum = 0
  for (const sign of name) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 10_007
  return (sum % hues) * (360 / hues)
}
