/** How a user recognises a device. Names are brands, the same in every language. */
export interface Device {
  browser: string | null
  system: string | null
  handheld: boolean
}

// The order matters: most browsers also claim to be Chrome or Safari.
const browsers: readonly [string, RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|Opera|OPT)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ['Safari', /^(?=.*\bVersion\/[\d.]).*\bSafari\//],
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

/** How a person recognises a browser in one text: brand and system, such as `Firefox, Linux`; empty where neither is known. */
export function deviceName(userAgent: string | null | undefined): string {
  const { browser, system } = parseUserAgent(userAgent ?? null)
  return [browser, system].filter(Boolean).join(', ')
}

/**
 * Parses browser and system from `User-Agent`. Versions are left out: browsers freeze them, and they do not help users to
 * recognise their device.
 */
export function parseUserAgent(userAgent: string | null): Device {
  const system = nameIn(systems, userAgent ?? '')
  return { browser: nameIn(browsers, userAgent ?? ''), system, handheld: system !== null && handhelds.has(system) }
}
