import { sql } from 'kysely'
import type { OidcConfigForm } from '#contract/saml-configs/oidc-configs.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { seal, unseal } from '#server/platform/secrets/sealing.ts'
import { insertConfig, samlConfigColumns } from './saml-configs.repository.ts'

const cell = (id: number) => ({ table: 'saml_configs', column: 'client_secret_sealed', row: String(id) })

interface Sealed {
  id: number
  clientSecretSealed: Buffer | null
}

/** The portal's secret at the company's OpenID Provider; null where its key takes the place of one. */
export async function unsealClientSecret(keys: Keys, { id, clientSecretSealed }: Sealed): Promise<string | null> {
  if (!clientSecretSealed) return null
  return (await unseal(keys, cell(id), clientSecretSealed)).toString('utf8')
}

/** Finds a configuration of OpenID Connect. */
export const findOidcConfig = (db: Db, id: number) => oidcConfigs(db, id).executeTakeFirst()

/** Finds and locks it until the transaction ends. */
export const findOidcConfigForUpdate = (db: Db, id: number) => oidcConfigs(db, id).forUpdate().executeTakeFirst()

const oidcConfigs = (db: Db, id: number) =>
  db
    .selectFrom('samlConfigs')
    .select(samlConfigColumns)
    .select('clientSecretSealed')
    .where('id', '=', id)
    .where('kind', '=', 'oidc')

type Columns = Omit<OidcConfigForm, 'clientSecret'>

interface NewOidcConfig {
  /** Reserved. */
  id: number
  columns: Columns
  secret: string | null
}

export const insertOidcConfig = (db: Db, keys: Keys, now: Date, { id, columns, secret }: NewOidcConfig) =>
  insertConfig(db, id, {
    ...columns,
    kind: 'oidc',
    certificate: '',
    clientSecretSealed: secret === null ? null : seal(keys, 'fields', cell(id), secret),
    clientSecretSetAt: secret === null ? null : now,
  })

/** @param secret undefined: the present one stays; null: a key takes its place */
export const updateOidcConfig = (
  db: Db,
  keys: Keys,
  now: Date,
  { id, columns, secret }: { id: number; columns: Columns; secret: string | null | undefined },
) =>
  db
    .updateTable('samlConfigs')
    .set({
      ...columns,
      ...(secret !== undefined && {
        clientSecretSealed: secret === null ? null : seal(keys, 'fields', cell(id), secret),
        clientSecretSetAt: secret === null ? null : now,
      }),
      version: sql`version + 1`,
    })
    .where('id', '=', id)
    .returning(samlConfigColumns)
    .executeTakeFirstOrThrow()
