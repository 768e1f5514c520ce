import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { SetupDraft, SetupTest } from '#contract/saml-setups/saml-setups.ts'
import { setupHours } from '#contract/saml-setups/saml-setups.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JsonObject, SamlSetups } from '#server/platform/database/database-types.ts'
import { isReserved } from '../saml-configs/saml-configs.ts'

/** A set-up link with the name of its organisation. */
export interface Setup extends Omit<Selectable<SamlSetups>, 'draft' | 'tested' | 'state'> {
  state: 'open' | 'handedIn' | 'approved' | 'revoked'
  draft: SetupDraft | null
  tested: SetupTest | null
  organizationName: string
  /** Who made it may still do what it does. */
  makerMay: boolean
  /** They work for the operator. */
  makerOperates: boolean
}

/** A link does nothing that its maker may not, any more. */
const makerMay = sql<boolean>`exists (
  select from users u where u.account_id = s.made_by and u.passive_at is null and case when s.sign_in then u.super_user
    else exists (select from held_until(s.made_by, s.organization_id, every_permission())) end)`

const makerOperates = sql<boolean>`coalesce((select u.super_user from users u where u.account_id = s.made_by), false)`

const setups = (db: Db) =>
  db
    .selectFrom('samlSetups as s')
    .innerJoin('organizations as o', 'o.organizationId', 's.organizationId')
    .selectAll('s')
    .select(['o.name as organizationName', makerMay.as('makerMay'), makerOperates.as('makerOperates')])

/** Those for a sign-in that a super user may have to do something about, the newest first. */
export const listSetups = async (db: Db, now: Date): Promise<Setup[]> =>
  (await setups(db)
    .where('signIn', '=', true)
    .where((eb) =>
      eb.or([
        eb('state', 'in', ['open', 'handedIn']),
        // It still makes tokens.
        eb.and([
          eb('state', '=', 'approved'),
          eb('directory', '=', true),
          eb('s.createdAt', '>', setupHoursBefore(now)),
        ]),
      ]),
    )
    .orderBy('s.createdAt', 'desc')
    .orderBy('setupId')
    .execute()) as unknown as Setup[]

const setupHoursBefore = (now: Date): Date => new Date(now.getTime() - setupHours * 3_600_000)

/** The links that make tokens for the directory of an organisation, the newest first. */
export const listDirectorySetups = (db: Db, organizationId: string, now: Date) =>
  db
    .selectFrom('samlSetups as s')
    .select(['setupId', 'createdAt', 'signIn'])
    .select(
      // Customers never learn who operates the portal.
      sql<string | null>`(
        select u.email from users u join current_memberships m using (account_id)
        where u.account_id = s.made_by and m.organization_id = s.organization_id and not u.super_user)`.as('madeBy'),
    )
    .where('organizationId', '=', organizationId)
    .where('directory', '=', true)
    .where('state', '<>', 'revoked')
    .where('createdAt', '>', setupHoursBefore(now))
    .where(makerMay)
    .orderBy('createdAt', 'desc')
    .orderBy('setupId')
    .execute()

/** Ends the links for the directory alone of an organisation. @returns those that still worked */
export const revokeDirectorySetups = (db: Db, organizationId: string, now: Date) =>
  db
    .updateTable('samlSetups')
    .set({ state: 'revoked', version: sql`version + 1` })
    .where('organizationId', '=', organizationId)
    .where('signIn', '=', false)
    .where('state', '<>', 'revoked')
    .where('expiresAt', '>', now)
    .returning('setupId')
    .execute()

export async function countHandedIn(db: Db): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from saml_setups where state = 'handedIn'`.execute(db)
  return rows[0]?.count ?? 0
}

export const findSetup = async (db: Db, setupId: string): Promise<Setup | undefined> =>
  (await setups(db).where('setupId', '=', setupId).executeTakeFirst()) as unknown as Setup | undefined

/** Finds and locks the link until the transaction ends. */
export const findSetupForUpdate = async (db: Db, setupId: string): Promise<Setup | undefined> =>
  (await setups(db).where('setupId', '=', setupId).forUpdate('s').executeTakeFirst()) as unknown as Setup | undefined

/** Whether a link that still works, or a super user, has reserved this id. */
export async function findReservation(db: Db, now: Date, samlConfigId: number): Promise<SetupDraft | null | undefined> {
  const row = await db
    .selectFrom('samlSetups as s')
    .select('draft')
    .where('samlConfigId', '=', samlConfigId)
    .where('state', 'in', ['open', 'handedIn'])
    .where('expiresAt', '>', now)
    .where(makerMay)
    .executeTakeFirst()
  if (row) return row.draft as unknown as SetupDraft | null
  return (await isReserved(db, now, samlConfigId)) ? null : undefined
}

/** Adds a link. One for a sign-in has a number that no configuration has or will have. */
export const insertSetup = (
  db: Db,
  row: Pick<Setup, 'setupId' | 'organizationId' | 'createdAt' | 'expiresAt' | 'signIn' | 'directory' | 'madeBy'>,
) =>
  db
    .insertInto('samlSetups')
    .values({ ...row, samlConfigId: row.signIn ? sql<number>`reserve_saml_config_id()` : null })
    .execute()

type Change = Partial<
  Pick<
    Setup,
    | 'state'
    | 'draft'
    | 'clientSecretSealed'
    | 'tested'
    | 'rejection'
    | 'expiresAt'
    | 'handedInAt'
    | 'directory'
    | 'madeBy'
  >
>

/** Changes a link and raises its version, so that a decision on the earlier draft is refused. */
export async function changeSetup(db: Db, setupId: string, { draft, tested, ...change }: Change): Promise<void> {
  await db
    .updateTable('samlSetups')
    .set({
      ...change,
      ...(draft === undefined ? {} : { draft: json(draft) }),
      ...(tested === undefined ? {} : { tested: json(tested) }),
      version: sql`version + 1`,
    })
    .where('setupId', '=', setupId)
    .execute()
}

/** Keeps the result of a test, unless the draft has changed since the test began. */
export async function recordTest(db: Db, setup: { id: string; draft: SetupDraft }, tested: SetupTest): Promise<void> {
  await db
    .updateTable('samlSetups')
    .set({ tested: json(tested) })
    .where('setupId', '=', setup.id)
    .where('state', 'in', ['open', 'handedIn'])
    .where('draft', '=', json(setup.draft))
    .execute()
}

const json = (value: object | null): RawBuilder<JsonObject | null> =>
  value === null ? sql`null` : sql`${JSON.stringify(value)}::jsonb`

/** Other configurations with this issuer: its entity ID, or its address with OpenID Connect. */
export const listSameIssuer = async (db: Db, { kind, entityId, url }: SetupDraft) => {
  const configs = db.selectFrom('samlConfigs').select(['id', 'name']).where('kind', '=', kind)
  if (kind === 'saml' && entityId === null) return []
  return (kind === 'saml' ? configs.where('entityId', '=', entityId) : configs.where('url', '=', url))
    .orderBy('name')
    .orderBy('id')
    .limit(20)
    .execute()
}

export const findOrganizationName = async (db: Db, organizationId: string): Promise<string | undefined> =>
  (await db.selectFrom('organizations').select('name').where('organizationId', '=', organizationId).executeTakeFirst())
    ?.name
