import type { Config } from '#server/config.ts'

/** The entity id of the demo's identity provider. */
export const demoIdp = 'urn:vestibule:demo-idp'

/** Beside the portal, so that several portals on a machine do not meet. */
export const portBeside = ({ port }: Config) => (port > 0 && port <= 65_525 ? port + 10 : 0)

/**
 * Where browsers find it: on another site than the portal's, as a real one is, where the machine has two names for itself.
 */
export function demoIdpAddress(config: Config, port = portBeside(config)): string {
  const { hostname } = new URL(config.baseUrl)
  const others: Record<string, string> = { localhost: '127.0.0.1', '127.0.0.1': 'localhost' }
  return `http://${others[hostname] ?? hostname}:${port}/sso`
}
