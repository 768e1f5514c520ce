import type { Selectable } from 'kysely'
import { type ClientForm, clientForm, clientScopes } from '#contract/service-clients/client-form.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Clients } from '#server/platform/database/database-types.ts'
import { pickFields } from '#server/platform/database/versioned.ts'

export type ClientRow = Selectable<Clients>

/** A row as the form has it. */
export const formOfRow = (row: ClientRow): ClientForm =>
  pickFields(clientForm, {
    ...row,
    authentication: row.tokenEndpointAuthMethod,
    jwks: row.jwks === null ? null : JSON.stringify(row.jwks, null, 2),
    scopes: grantedScopes(row),
    // The columns are texts that only forms have written.
  }) as ClientForm

/** In the order of the contract; a scope that this version does not know is left out. */
export const grantedScopes = ({ scopes }: Pick<ClientRow, 'scopes'>) =>
  clientScopes.filter((scope) => scope === 'openid' || scopes.includes(scope))

/** The form as columns of a row. */
export const rowOfForm = ({ authentication, jwks, ...rest }: ClientForm) => ({
  ...rest,
  tokenEndpointAuthMethod: authentication,
  jwks: jwks === null ? null : JSON.stringify(JSON.parse(jwks)),
})

/** The client of a service. */
export const findClientOf = (db: Db, serviceId: string): Promise<ClientRow | undefined> =>
  db.selectFrom('clients').selectAll().where('serviceId', '=', serviceId).executeTakeFirst()

/** The client, locked until the transaction ends. */
export const findClientForUpdate = (db: Db, clientId: string): Promise<ClientRow | undefined> =>
  db.selectFrom('clients').selectAll().where('clientId', '=', clientId).forUpdate().executeTakeFirst()

export const findClient = (db: Db, clientId: string): Promise<ClientRow | undefined> =>
  db.selectFrom('clients').selectAll().where('clientId', '=', clientId).executeTakeFirst()
