import type { Config } from '#server/config.ts'

/** The entity id of the demo's identity provider. */
export const demoIdpEntityId = 'urn:vestibule:demo-idp'

/** A port near the portal's own, so that several portals on a machine do not conflict. */
export const demoIdpPort = ({ port }: Config) => (port > 0 && port <= 65_525 ? port + 10 : 0)

/**
 * The address of the demo's identity provider for browsers. Like a real one it is on another site than the portal, if the
 * machine has two host names.
 */
export function demoIdpAddress(config: Config, port = demoIdpPort(config)): string {
  const { hostname } = new URL(config.baseUrl)
  const others: Record<string, string> = { localhost: '127.0.0.1', '127.0.0.1': 'localhost' }
  return `http://${others[hostname] ?? hostname}:${port}/sso`
}
