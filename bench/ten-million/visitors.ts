import pg from 'pg'
import { redirectUri, type ServiceSide } from '../service-client.ts'
import { registerClientOf } from '../services.ts'

/** A person who signs in, from an address of their own, and the service that they have. */
export interface Visitor {
  email: string
  address: string
  service: ServiceSide
}

const services = 5

/** An answer that a busy portal gives before it begins: not now. */
export const isRefusal = (error: unknown): boolean => /answered (429|503)/.test((error as Error).message)

/** People from all over the portal, in no order. */
export async function findVisitors(portalUrl: string, databaseUrl: string, most: number): Promise<Visitor[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows: used } = await client.query<{ id: string }>(
      `select service_id as id from organization_services group by 1 order by sum(seats_used) desc limit ${services}`,
    )
    const { rows: people } = await client.query<{ email: string; id: string }>(
      `select email, service_id as id from service_assignments join users using (account_id)
       where service_id = any ($1) and passive_at is null and email ~ '[0-9]@' order by md5(account_id::text) limit $2`,
      [used.map(({ id }) => id), most],
    )
    const sides = new Map<string, ServiceSide>()
    const form = { kind: 'web', authentication: 'client_secret_post', redirectUris: [redirectUri] }
    for (const { id } of used) sides.set(id, await registerClientOf(portalUrl, id, form))
    return people.map(({ email, id }, index) => ({
      email,
      address: `198.${18 + ((index >> 16) & 1)}.${(index >> 8) & 255}.${index & 255}`,
      service: sides.get(id) as ServiceSide,
    }))
  } finally {
    await client.end()
  }
}
