import { sql } from 'kysely'
import type { SamlDomain } from '#contract/saml-configs/saml-domains.ts'
import type { Db } from '#server/platform/database/database.ts'

type Proof = SamlDomain['proof']

export const listDomains = (db: Db, samlConfigId: number) =>
  db
    .selectFrom('samlDomains')
    .select(['domain', 'token', 'provenAt', 'reason'])
    .select(sql<Proof>`proof`.as('proof'))
    .where('samlConfigId', '=', samlConfigId)
    .orderBy('domain')
    .execute()
export type StoredDomain = Awaited<ReturnType<typeof listDomains>>[number]

/** The mail domains that count for a configuration beside its own. */
export const listFurtherDomains = async (db: Db, samlConfigId: number): Promise<string[]> =>
  (await listDomains(db, samlConfigId)).flatMap(({ domain, proof }) => (proof === null ? [] : domain))

/** The configuration that a domain counts for. */
export async function findOwner(db: Db, domain: string): Promise<number | undefined> {
  const owner = await db
    .selectFrom('samlMailDomains')
    .select('samlConfigId')
    .where('mailDomain', '=', domain)
    .orderBy('samlConfigId')
    .executeTakeFirst()
  return owner?.samlConfigId ?? undefined
}

export const insertDomain = (db: Db, row: { samlConfigId: number; domain: string; token: string; addedAt: Date }) =>
  db.insertInto('samlDomains').values(row).execute()

/** Records the proof. The unique index refuses it where the domain counts for another configuration. */
export const proveDomain = (
  db: Db,
  { samlConfigId, domain }: { samlConfigId: number; domain: string },
  proof: { proof: 'dns' | 'confirmed'; provenAt: Date; reason: string | null },
) =>
  db
    .updateTable('samlDomains')
    .set(proof)
    .where('samlConfigId', '=', samlConfigId)
    .where('domain', '=', domain)
    .execute()

export const removeDomain = (db: Db, samlConfigId: number, domain: string) =>
  db.deleteFrom('samlDomains').where('samlConfigId', '=', samlConfigId).where('domain', '=', domain).execute()
