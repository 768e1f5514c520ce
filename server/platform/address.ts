import { isIPv6 } from 'node:net'

/**
 * What a limit counts an address as: IPv4 whole, IPv6 by its /64, because a household or a server owns all of one.
 * An IPv4 address inside IPv6 counts as itself.
 */
export function addressKey(ip: string): string {
  const mapped = /^::ffff:([0-9.]+)$/i.exec(ip)
  if (mapped?.[1]) return mapped[1]
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = ip.split('%')[0]?.split('::') ?? []
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':')
    while (groups.length + rest.length < 8) groups.push('0')
    groups.push(...rest)
  }
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
