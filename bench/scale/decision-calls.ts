import pg from 'pg'
import { registerClientOf } from '../services.ts'
import type { ScaleCall } from './calls.ts'

const prefix = 'a decision'
/** These have a budget of their own: 5 ms (p95). */
export const isDecision = (name: string): boolean => name.startsWith(prefix)

/** Questions of the service that most people have: about its own people, and about others. */
export async function decisionCalls(url: string, databaseUrl: string): Promise<ScaleCall[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows: services } = await client.query<{ id: string }>(
      'select service_id as id from organization_services group by 1 order by sum(seats_used) desc limit 1',
    )
    const serviceId = services[0]?.id ?? ''
    const pairs = async (condition: string) =>
      (
        await client.query<{ person: string; organization: string }>(
          `select account_id as person, organization_id as organization from service_assignments
           where ${condition} order by md5(account_id::text) limit 2000`,
          [serviceId],
        )
      ).rows
    const [own, foreign] = [await pairs('service_id = $1'), await pairs('service_id <> $1')]
    const { issuer, ...known } = await registerClientOf(url, serviceId, {
      kind: 'machine',
      authentication: 'client_secret_post',
      directoryAccess: true,
    })
    const form = { grant_type: 'client_credentials', scope: 'directory' }
    const answer = await fetch(`${issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, client_id: known.clientId, client_secret: known.secret }),
    })
    const { access_token: token } = (await answer.json()) as { access_token?: string }
    if (!token) throw new Error(`no token: ${answer.status}`)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const question = (list: typeof own, n: number, action = 'regular', type = 'service') => {
      const { person, organization } = list[n % list.length] ?? { person: '', organization: '' }
      return {
        ...{ subject: { type: 'user', id: person }, action: { name: action } },
        resource: { type, id: organization },
      }
    }
    const one = (name: string, body: (n: number) => unknown): ScaleCall => ({
      name: `${prefix}: ${name}`,
      path: () => '/access/v1/evaluation',
      post: { headers, body },
    })
    return [
      one('somebody has the service', (n) => question(own, n)),
      one('somebody may administer the organisation', (n) =>
        question(own, n, 'administerOrganization', 'organization'),
      ),
      one('a stranger', (n) => question(foreign, n)),
      {
        name: '50 decisions at once',
        path: () => '/access/v1/evaluations',
        post: {
          headers,
          body: (n) => ({ evaluations: Array.from({ length: 50 }, (_, place) => question(own, n * 50 + place)) }),
        },
      },
    ]
  } finally {
    await client.end()
  }
}
