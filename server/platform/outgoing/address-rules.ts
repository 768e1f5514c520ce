import { BlockList, isIP } from 'node:net'
import { OutgoingFailure } from './outgoing-failure.ts'

/** What the operator allows. */
export interface AddressRules {
  production: boolean
  /** `host` or `host:port`: hosts in networks that are closed otherwise, and ports other than 443. */
  allow: readonly string[]
}

const listOf = (...networks: string[]) => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

const loopback = listOf('127.0.0.0/8', '::1/128')
// An IPv4 network also covers its ::ffff: form. The networks that carry IPv4 addresses in another way are closed as a whole.
const closed = listOf(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '::/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/32'],
  ...['2001:db8::/32', '2002::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
)

/**
 * Fails when an IP address belongs to a network that must not be called. Development may call its own machine.
 *
 * @throws OutgoingFailure `internal`
 */
export function checkIpAddress(address: string, { production }: AddressRules): void {
  const [plain = ''] = address.split('%')
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4'
  if (!production && loopback.check(plain, family)) return
  if (isIP(plain) === 0 || closed.check(plain, family)) throw new OutgoingFailure('internal')
}

/**
 * Fails when an address as it was typed breaks a rule. `URL` turns every spelling of an IP address into the plain one.
 *
 * @throws OutgoingFailure
 */
export function checkUrl(text: string, rules: AddressRules): { url: URL; isAllowed: boolean } {
  const url = URL.parse(text)
  const http = url?.protocol === 'http:' && !rules.production
  if (!url || (url.protocol !== 'https:' && !http)) throw new OutgoingFailure('notHttps')
  if (url.username || url.password) throw new OutgoingFailure('credentials')
  const isAllowed = isAllowedHost(url, rules)
  if (rules.production && url.port !== '' && !isAllowed) throw new OutgoingFailure('port')
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) && !isAllowed) checkIpAddress(literal, rules)
  return { url, isAllowed }
}

/** An entry without a port allows 443 alone in production. */
export const isAllowedHost = (
  { hostname, port }: Pick<URL, 'hostname' | 'port'>,
  { production, allow }: AddressRules,
) => allow.some((entry) => entry === `${hostname}:${port}` || (entry === hostname && (port === '' || !production)))
