import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLogoutDelivery } from '#server/oidc/logout/deliver-logout.ts'
import type { TestApp } from './test-app.ts'

/** A service's address for logout tokens. It answers as the test says; 200 by default. */
export async function listenForLogouts() {
  const tokens: string[] = []
  const answers: number[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    tokens.push(new URLSearchParams(body).get('logout_token') ?? '')
    response.writeHead(answers.shift() ?? 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/backchannel`,
    /** The logout tokens that arrived. */
    tokens,
    /** The next answers. */
    answers,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** The queue of logout tokens, delivered when the test says so. */
export function logoutsOf({ system, provider }: TestApp) {
  const { db, clock, log, outgoing } = system
  const delivery = createLogoutDelivery({ db, clock, log, outgoing, provider })
  const queued = () => db.selectFrom('logoutDeliveries').select('id').where('state', '=', 'queued').execute()
  return {
    delivery,
    queued,
    /** Delivers what is queued. @returns the errors of those that failed */
    async deliver(): Promise<string[]> {
      const failures: string[] = []
      for (const { id } of await queued())
        await delivery.deliver(id).catch((error: Error) => failures.push(error.message))
      return failures
    },
    statesAt: async (clientId: string) =>
      (
        await db
          .selectFrom('logoutDeliveries')
          .select(['state', 'reason', 'attempts'])
          .where('clientId', '=', clientId)
          .orderBy('createdAt')
          .execute()
      ).map(({ state, reason, attempts }) => [state, reason, attempts]),
  }
}
