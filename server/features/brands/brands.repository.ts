import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'

/** The brand of an organisation; the values are null where it has none. Locks the organisation in a transaction. */
export async function findBrand(db: Db, organizationId: string, forUpdate = false) {
  const query = db
    .selectFrom('organizations as o')
    .leftJoin('organizationBrands as b', 'b.organizationId', 'o.organizationId')
    .select(['o.organizationId', 'o.name', 'b.hue', 'b.logo', 'b.darkLogo', 'b.signInHost'])
    .where('o.organizationId', '=', organizationId)
  return (forUpdate ? query.forNoKeyUpdate('o') : query).executeTakeFirst()
}

interface BrandColumns {
  hue?: number | null
  logo?: string | null
  logoImage?: Buffer | null
  darkLogo?: string | null
  darkLogoImage?: Buffer | null
  signInHost?: string | null
}

/** Writes these columns; an organisation without a brand gets one. */
export async function saveBrand(db: Db, organizationId: string, columns: BrandColumns): Promise<void> {
  await db
    .insertInto('organizationBrands')
    .values({ organizationId })
    .onConflict((present) => present.column('organizationId').doNothing())
    .execute()
  await db.updateTable('organizationBrands').set(columns).where('organizationId', '=', organizationId).execute()
}

/** The image of an address. Several organisations may have the same one. */
export async function findImage(db: Db, address: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ image: Buffer }>`
    select logo_image as image from organization_brands where logo = ${address}
    union all
    select dark_logo_image from organization_brands where dark_logo = ${address}
    limit 1`.execute(db)
  return rows[0]?.image
}

/** What a sign-in shows of an organisation. */
export interface ShownBrand {
  name: string
  hue: number | null
  logo: string | null
  darkLogo: string | null
}

/**
 * The brand that a sign-in names. Which service it is for does not matter: otherwise a page that everybody can open would tell
 * whether a customer has that service. An unknown organisation is like one without a brand.
 */
export async function findShownBrand(db: Db, organizationId: string): Promise<ShownBrand | undefined> {
  const statement = sql<ShownBrand>`
    select o.name, b.hue, b.logo, b.dark_logo as "darkLogo"
    from organization_brands b join organizations o using (organization_id)
    where organization_id = ${organizationId}::uuid`
  return (await executePrepared(db, statement)).rows[0]
}

/** The organisation whose sign-in a host name leads to. */
export async function findOrganizationOfHost(db: Db, host: string): Promise<string | undefined> {
  const statement = sql<{ organizationId: string }>`
    select organization_id as "organizationId" from organization_brands where sign_in_host = ${host}`
  return (await executePrepared(db, statement)).rows[0]?.organizationId
}

/** The hue of the organisation that the launcher shows to somebody who has chosen none: the first by name. */
export async function findHueOfSession(db: Db, sessionHash: Buffer, now: Date): Promise<number | undefined> {
  const statement = sql<{ hue: number | null }>`
    select b.hue from sessions s
      join current_memberships m using (account_id)
      join organizations o using (organization_id)
      left join organization_brands b using (organization_id)
    where s.id_hash = ${sessionHash} and s.expires_at > ${now}
    order by o.name, o.organization_id limit 1`
  return (await executePrepared(db, statement)).rows[0]?.hue ?? undefined
}
