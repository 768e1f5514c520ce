import type { LogoutState } from '#contract/sign-in/sign-in.ts'
import type { Db } from '#server/platform/database/database.ts'

/** The services of a sign-out, by name, and how far each has come. */
export async function listToldServices(
  db: Db,
  signOut: string,
): Promise<{ clientId: string; name: string; state: LogoutState }[]> {
  return db
    .selectFrom('logoutDeliveries as d')
    .innerJoin('clients as c', 'c.clientId', 'd.clientId')
    .leftJoin('services as s', 's.serviceId', 'c.serviceId')
    .select((row) => ['d.clientId', row.fn.coalesce('s.name', 'c.name').as('name'), 'd.state'])
    .where('d.signOut', '=', signOut)
    .orderBy('name')
    .orderBy('d.id')
    .execute() as Promise<{ clientId: string; name: string; state: LogoutState }[]>
}
