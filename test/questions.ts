import { servicesOf } from './service.ts'
import type { TestApp } from './test-app.ts'

/** A question of AuthZEN 1.0. */
export const question = (subject: string, action: string, organizationId: string, type = 'service') => ({
  subject: { type: 'user', id: subject },
  action: { name: action },
  resource: { type, id: organizationId },
})

/** Asks the portal for decisions as the server of a service does: with a token of its own, and without a browser's headers. */
export function questionsOf(portal: TestApp) {
  const services = servicesOf(portal)
  const send = (
    path: string,
    payload: string,
    headers: Record<string, string> = {},
    at: Pick<TestApp, 'app'> = portal,
  ) =>
    at.app.inject({
      method: 'POST',
      url: `/access/v1/${path}`,
      headers: { host: 'portal.test', 'content-type': 'application/json', ...headers },
      payload,
    })
  return {
    send,
    /** A token of this service's own. */
    async tokenOf(serviceId: string): Promise<string> {
      const clientId = await services.register({ serviceId, directoryAccess: true })
      return (await services.tokenFor(clientId, { scope: 'directory' })).access_token
    },
    ask: (token: string, body: unknown, path = 'evaluation', at: Pick<TestApp, 'app'> = portal) =>
      send(path, JSON.stringify(body), { authorization: `Bearer ${token}` }, at),
  }
}
