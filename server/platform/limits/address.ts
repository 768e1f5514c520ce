import { isIPv4, isIPv6 } from 'node:net'

/**
 * The limit key of a client address: a whole IPv4 address, or the /64 of an IPv6 address, because one household or server
 * owns all of it. An IPv4-mapped IPv6 address counts as IPv4. What proxies pass on was read before (`readAddress`), so only
 * a connection that has no address, such as one of a Unix socket, counts as none.
 */
export function addressKey(ip: string): string {
  const ipv4 = ipv4Of(ip)
  if (ipv4) return ipv4
  return isIPv6(ip) ? `${groupsOf(ip).slice(0, 4).join(':')}::/64` : 'no address'
}

/**
 * The network of an address, as audit events store it: /24 for IPv4, /48 for IPv6. It does not identify a single
 * connection.
 *
 * @returns null for an invalid address: a proxy may send anything
 */
export function toNetwork(ip: string): string | null {
  const ipv4 = ipv4Of(ip)
  if (ipv4) return `${ipv4.split('.').slice(0, 3).join('.')}.0/24`
  return isIPv6(ip) ? `${groupsOf(ip).slice(0, 3).join(':')}::/48` : null
}

/**
 * The address of a client as a proxy writes it: with a port, in quotes, in brackets, with a zone (RFC 7239, 6). Undefined for
 * what is none: `unknown`, `_hidden`.
 */
export function readAddress(text: string): string | undefined {
  if (text.length > 100) return undefined
  const [, quoted] = /^"(.*)"$/s.exec(text) ?? []
  const node = (quoted ?? text).trim()
  const [, inBrackets] = /^\[([^\]]*)\](?::\w*)?$/.exec(node) ?? []
  const candidates = inBrackets === undefined ? [node, node.replace(/:\w*$/, '')] : [inBrackets]
  const found = candidates.map((one) => one.replace(/%[\w.-]*$/, '')).find((one) => isIPv4(one) || isIPv6(one))
  return found && (ipv4Of(found) ?? found)
}

/** The IPv4 address, also of an IPv4-mapped one: `::ffff:192.0.2.1`, or the same in hexadecimal. */
function ipv4Of(ip: string): string | undefined {
  if (isIPv4(ip)) return ip
  if (!isIPv6(ip)) return undefined
  const groups = groupsOf(ip)
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .map((number) => `${number >> 8}.${number & 255}`)
    .join('.')
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(ip: string): string[] {
  const withoutZone = ip.split('%')[0] ?? ''
  const [head = '', tail] = withoutZone.replace(/(?<![^:])[^:.]+\.[^:]+$/, inHexadecimal).split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail ? tail.split(':') : []
  while (tail !== undefined && groups.length + rest.length < 8) groups.push('0')
  return [...groups, ...rest].map((group) => Number.parseInt(group, 16).toString(16))
}

/** The last part of an IPv6 address may be written in IPv4 notation. */
function inHexadecimal(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
}
