import { lookup as resolveName } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { buildConnector } from 'undici'
import { type AddressRules, checkIpAddress, isAllowedHost } from './address-rules.ts'
import { OutgoingFailure } from './outgoing-failure.ts'

/** An IP address of a host. */
interface Resolved {
  address: string
  family: number
}
export type Resolve = (host: string) => Promise<Resolved[]>

const resolveBySystem: Resolve = (host) => resolveName(host, { all: true })

interface GuardOptions {
  rules: AddressRules
  /** Milliseconds for a connection. */
  timeout: number
  ca: string | undefined
  resolve?: Resolve | undefined
}

/**
 * A connector of undici that checks every address of a host and connects to one of those checked, so DNS cannot answer
 * differently in between. TLS still expects the host's name.
 */
export function guardedConnect({
  rules,
  timeout,
  ca,
  resolve = resolveBySystem,
}: GuardOptions): buildConnector.connector {
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    const connect = (addresses: Resolved[]) => {
      if (!isAllowedHost({ hostname: options.hostname, port: portOf(options) }, rules))
        for (const { address } of addresses) checkIpAddress(address, rules)
      buildConnector({ timeout, ...(ca ? { ca } : {}), lookup: pinnedTo(addresses) })(options, callback)
    }
    Promise.race([resolve(host), tooSlow(timeout)])
      .then(connect)
      .catch((error: Error) => callback(error, null))
  }
}

// DNS of the system cannot be cancelled: the call ends without it.
const tooSlow = (timeout: number) =>
  wait(timeout, undefined, { ref: false }).then(() => {
    throw new OutgoingFailure('timeout')
  })

/** As in a URL: empty for the protocol's own port. */
const portOf = ({ port, protocol }: buildConnector.Options) =>
  port === (protocol === 'https:' ? '443' : '80') ? '' : port

const pinnedTo =
  (addresses: Resolved[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses
    if (all) callback(null, addresses)
    else callback(first ? null : new Error('no address'), first?.address ?? '', first?.family)
  }
