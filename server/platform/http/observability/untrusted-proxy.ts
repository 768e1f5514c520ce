import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import { loggedAddress } from './request-log.ts'

/** Anybody may send the header: they must not fill the log, nor hide the proxy that was forgotten. */
const maxAddresses = 10

/**
 * Says once for each address that it sends X-Forwarded-For and is not in TRUSTED_PROXIES: if it is the proxy, everybody
 * behind it shares the limits of one address.
 */
export function reportUntrustedProxies(app: FastifyInstance, { logAddresses }: Pick<Config, 'logAddresses'>): void {
  const said = new Set<string>()
  app.addHook('onRequest', (request, _reply, done) => {
    // With a trusted sender, `ips` has the forwarded addresses too.
    const isIgnored = request.headers['x-forwarded-for'] !== undefined && (request.ips?.length ?? 1) === 1
    if (isIgnored && !said.has(request.ip) && said.size < maxAddresses) {
      said.add(request.ip)
      app.log.warn(
        { address: loggedAddress(request.ip, logAddresses) },
        'X-Forwarded-For is ignored, because TRUSTED_PROXIES does not name its sender: if that is your proxy, everybody behind it counts as one address',
      )
    }
    done()
  })
}
