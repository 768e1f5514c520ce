import { isIP } from 'node:net'

/**
 * Serialises to JSON that PostgreSQL accepts: NUL characters and lone surrogates in a request must not fail a sign-in.
 */
export const toStorableJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? toStorableText(part) : part))

export const toStorableText = (text: string): string => text.replaceAll('\u0000', '\uFFFD').toWellFormed()

/** A proxy may send an invalid address; the zone (`fe80::1%eth0`) is not part of an address. */
export function toStorableIp(ip = ''): string | null {
  const [address = ''] = ip.split('%')
  return isIP(address) ? address : null
}
