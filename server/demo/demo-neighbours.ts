import type { Config } from '#server/config.ts'

/** The entity id of the demo's identity provider. */
export const demoIdpEntityId = 'urn:vestibule:demo-idp'

/**
 * The origin of a server beside the portal, for browsers. Like a real one it is on another site than the portal, if the
 * machine has two host names.
 */
export function neighbourOrigin({ baseUrl }: Config, port: number): string {
  const { hostname } = new URL(baseUrl)
  const others: Record<string, string> = { localhost: '127.0.0.1', '127.0.0.1': 'localhost' }
  return `http://${others[hostname] ?? hostname}:${port}`
}

/** The address of the demo's identity provider for browsers. */
export const demoIdpAddress = (config: Config, port = config.demoIdpPort): string =>
  `${neighbourOrigin(config, port)}/sso`
