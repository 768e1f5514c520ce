import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import { readAddress } from '../../limits/address.ts'
import { loggedAddress } from '../observability/request-log.ts'

/** Anybody may send these headers: they must not fill the log, nor hide the proxy that was forgotten. */
const maxAddresses = 10

const messages = {
  untrusted:
    'X-Forwarded-For is ignored, because TRUSTED_PROXIES does not name its sender: if that is your proxy, everybody behind it counts as one address',
  unreadable:
    'what this proxy says of the address of a client is no address: such clients count as one address, that of the proxy',
}

/**
 * Reads the addresses that a trusted proxy passes on, in every form that proxies write: with a port, in brackets, with a
 * zone, and as RFC 7239 has it, where there is no X-Forwarded-For. The chain begins after the last one that cannot be read,
 * so a client without a readable address counts by the connection that brought it, and never by a value that others share
 * (security 173). Says once for each sender what it could not use.
 */
export function readForwardedAddresses(app: FastifyInstance, { logAddresses }: Pick<Config, 'logAddresses'>): void {
  const said = { untrusted: new Set<string>(), unreadable: new Set<string>() }
  function warn(why: keyof typeof said, sender: string): void {
    if (said[why].has(sender) || said[why].size >= maxAddresses) return
    said[why].add(sender)
    // A trusted proxy is none of the clients, whose addresses LOG_ADDRESSES keeps out of the log.
    app.log.warn({ address: why === 'unreadable' ? sender : loggedAddress(sender, logAddresses) }, messages[why])
  }
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, socket } = request.raw
    const list = headers['x-forwarded-for']
    const given = list === undefined ? clientsOf(headers.forwarded) : String(list).split(',')
    const present = given.map((one) => one.trim()).filter(Boolean)
    if (present.length === 0) {
      delete headers['x-forwarded-for']
      return done()
    }
    const addresses = present.map(readAddress)
    const readable = addresses.slice(addresses.lastIndexOf(undefined) + 1)
    // Fastify takes it from here if it trusts the sender; `ips` then has more than the sender.
    headers['x-forwarded-for'] = readable.join(', ') || 'unknown'
    const isTrusted = (request.ips?.length ?? 1) > 1
    if (!isTrusted) warn('untrusted', request.ip)
    if (readable.length === 0 || !isTrusted) delete headers['x-forwarded-for']
    if (isTrusted && readable.length === 0) warn('unreadable', socket.remoteAddress ?? '')
    done()
  })
}

/** `for=192.0.2.60;proto=https, for="[2001:db8::1]:4711"`: what stands behind `for`, or `unknown` for each proxy. */
function clientsOf(header: string | undefined): string[] {
  const elements = header?.match(/(?:[^",]|"[^"]*")+/g) ?? []
  return elements.map((element) => {
    const pairs = element.split(';').map((pair) => /^\s*for\s*=(.*)$/is.exec(pair)?.[1])
    return pairs.find((value) => value !== undefined)?.trim() || 'unknown'
  })
}
