import { sql } from 'kysely'
import type { SamlConfigState } from '#contract/saml-configs/saml-config-state.ts'
import { samlConfigState } from '#contract/saml-configs/saml-config-state.ts'
import {
  type SamlConfigDetails,
  type SamlConfigForm,
  type SamlConfigKind,
  samlConfigDetails,
  samlConfigForm,
} from '#contract/saml-configs/saml-configs.ts'
import type { SamlOptions } from '#contract/saml-configs/saml-options.ts'
import type { Db } from '#server/platform/database/database.ts'
import { pickFields } from '#server/platform/database/versioned.ts'

// A choice that was never made means no.
const chosen = <Name extends string>(name: Name) => sql<boolean>`coalesce(${sql.ref(name)}, false)`.as(name)
/** Those that are not simply read as they are. */
const readColumns = {
  kind: sql<SamlConfigKind>`kind`.as('kind'),
  wantAssertionsSigned: chosen('wantAssertionsSigned'),
  wantAuthnResponseSigned: chosen('wantAuthnResponseSigned'),
  requestSigningEnabled: chosen('requestSigningEnabled'),
  nameIdFormat: sql<SamlOptions['nameIdFormat']>`name_id_format`.as('nameIdFormat'),
  clientSecretSetAt: sql<
    string | null
  >`to_char(client_secret_set_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.as('clientSecretSetAt'),
}
type PlainColumn = Exclude<keyof StoredConfig, keyof typeof readColumns>
const notStored = ['certificates', 'serviceProvider', ...Object.keys(samlConfigState.shape)]
const plainColumns = Object.keys(samlConfigDetails.shape).filter(
  (name) => !(name in readColumns || notStored.includes(name)),
) as PlainColumn[]
/** What the calls answer of a configuration. */
export const samlConfigColumns = [...plainColumns, ...Object.values(readColumns)]
const columns = samlConfigColumns

const summaryColumns = [
  ...columns,
  sql<number>`(select count(*)::int from saml_domains d where d.saml_config_id = saml_configs.id and d.proof is not null)`.as(
    'furtherDomains',
  ),
] as const

export const listSamlConfigs = (
  db: Db,
  { sort, sortDirection }: { sort: 'name' | 'domain'; sortDirection: 'asc' | 'desc' },
) => db.selectFrom('samlConfigs').select(summaryColumns).orderBy(sort, sortDirection).orderBy('id').execute()

export const findSamlConfig = (db: Db, id: number) =>
  db.selectFrom('samlConfigs').select(columns).where('id', '=', id).executeTakeFirst()

/** A configuration of either kind. */
export type StoredConfig = Omit<SamlConfigDetails, 'certificates' | 'serviceProvider' | keyof SamlConfigState>

/** What the form of SAML has of a configuration. */
export const samlFormOf = (samlConfig: StoredConfig): SamlConfigForm => pickFields(samlConfigForm, samlConfig)

/** None for a configuration of OpenID Connect. */
export const ofSaml = <Row extends { kind: string }>(row: Row | undefined): Row | undefined =>
  row?.kind === 'saml' ? row : undefined

/** Finds and locks the configuration, of either kind, until the transaction ends. */
export const findSamlConfigForUpdate = (db: Db, id: number) =>
  db.selectFrom('samlConfigs').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()

/** Adds a configuration under a number that was reserved for it: see `reserveId`. */
export async function insertConfig(db: Db, id: number, values: object) {
  const names = Object.keys(values).map((name) => sql.ref(name))
  await sql`
    insert into saml_configs (id, ${sql.join(names)}) overriding system value
    values (${id}, ${sql.join(Object.values(values))})`.execute(db)
  return db.selectFrom('samlConfigs').select(columns).where('id', '=', id).executeTakeFirstOrThrow()
}

/** A number that no configuration has or will have. */
export async function reserveId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select reserve_saml_config_id() as id`.execute(db)
  return rows[0]?.id ?? 0
}

export const updateSamlConfig = (db: Db, id: number, form: SamlConfigForm) =>
  db
    .updateTable('samlConfigs')
    .set({ ...form, version: sql`version + 1` })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()

/**
 * The foreign keys of organisations and users refuse it while one of them needs the configuration. An organisation that signs
 * in in another way, and had it prepared by a set-up link, does not.
 */
export async function removeSamlConfig(db: Db, id: number): Promise<void> {
  await db
    .updateTable('organizations')
    .set({ samlConfigId: null, version: sql`version + 1` })
    .where('samlConfigId', '=', id)
    .where('loginMethod', '<>', 'saml')
    .execute()
  await db.deleteFrom('samlConfigs').where('id', '=', id).execute()
}

/** The certificates of every SAML configuration. */
export const listCertificateTexts = (db: Db) =>
  db.selectFrom('samlConfigs').select(['id', 'name', 'certificate']).where('kind', '=', 'saml').execute()
