import type { MessageKey } from '#contract/message-key.ts'

/** What the client of a service is; it decides how the client signs people in, and whether it can keep a secret. */
export const clientKinds = ['web', 'singlePage', 'native', 'machine'] as const
export type ClientKind = (typeof clientKinds)[number]

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** True for a loopback address. */
export const isLoopback = (uri: URL): boolean => loopback.has(uri.hostname)

/** A scheme of an app's own holds a dot, so that it belongs to one owner (RFC 8252, section 7.1). */
const ownScheme = /^[a-z][a-z\d+-]*(\.[a-z\d+-]+)+:$/

/**
 * Why a client cannot have this address, or undefined. Addresses are compared letter by letter: there are no wildcards.
 * Whether http is allowed, where this allows it, is for the server to say: it knows whether this is production.
 */
export function problemOfAddress(text: string, kind: ClientKind): MessageKey | undefined {
  if (text.includes('#')) return 'clientAddressFragment'
  if (/[\s\\*]|\p{Cc}/u.test(text) || !text.isWellFormed() || !URL.canParse(text)) return 'clientAddressInvalid'
  // `https:evil` and `https:///evil` are `https://evil/` to a browser, and something else to others.
  if (/^https?:/i.test(text) && !/^https?:\/\/[^/]/i.test(text)) return 'clientAddressInvalid'
  const uri = new URL(text)
  if (uri.username || uri.password) return 'clientAddressInvalid'
  const native = kind === 'native'
  const allowed =
    uri.protocol === 'https:'
      ? !(native && isLoopback(uri))
      : uri.protocol === 'http:'
        ? !native || isLoopback(uri)
        : native && ownScheme.test(uri.protocol)
  return allowed ? undefined : native ? 'clientAddressNative' : 'clientAddressInvalid'
}
