/** What a person recognises a device by. Names are brands, the same in every language. */
export interface Device {
  browser: string | null
  system: string | null
  handheld: boolean
}

// In this order: nearly every browser also claims to be Chrome, Safari, or both.
const browsers: readonly [string, RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|Opera|OPT)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
]
const systems: readonly [string, RegExp][] = [
  ['iPadOS', /\biPad\b/],
  ['iOS', /\b(iPhone|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]
const handhelds = new Set(['iOS', 'iPadOS', 'Android'])

const nameIn = (list: readonly [string, RegExp][], text: string) =>
  list.find(([, pattern]) => pattern.test(text))?.[0] ?? null

/**
 * The browser and the system behind a `User-Agent`. Versions are left out: browsers freeze them, and they help nobody
 * to recognise the own telephone.
 */
export function readUserAgent(userAgent: string | null): Device {
  const system = nameIn(systems, userAgent ?? '')
  return { browser: nameIn(browsers, userAgent ?? ''), system, handheld: system !== null && handhelds.has(system) }
}
