import { sql } from 'kysely'
import type { WatchedMetadata } from '#contract/saml-configs/saml-metadata.ts'
import type { Db } from '#server/platform/database/database.ts'

const watches = (db: Db) =>
  db
    .selectFrom('samlMetadataWatches as w')
    .innerJoin('samlConfigs as c', 'c.id', 'w.samlConfigId')
    .select([
      ...(['w.samlConfigId', 'w.address', 'w.signer', 'w.checkedAt', 'w.problem', 'w.certificates'] as const),
      ...(['c.name', 'c.entityId', 'c.certificate'] as const),
    ])

/** A watched address, with its configuration. */
export type Watch = Awaited<ReturnType<typeof listWatches>>[number]

export const listWatches = (db: Db) => watches(db).orderBy('c.name').orderBy('c.id').execute()

export const findWatch = (db: Db, id: number): Promise<Watch | undefined> =>
  watches(db).where('w.samlConfigId', '=', id).executeTakeFirst()

/** Sets the address; what another one said is dropped. */
export const saveWatch = (db: Db, samlConfigId: number, { address, signer = null }: WatchedMetadata) =>
  db
    .insertInto('samlMetadataWatches')
    .values({ samlConfigId, address, signer })
    .onConflict((conflict) =>
      conflict
        .column('samlConfigId')
        .doUpdateSet({ address, signer, checkedAt: null, problem: null, certificates: '' }),
    )
    .execute()

export const removeWatch = (db: Db, samlConfigId: number) =>
  db.deleteFrom('samlMetadataWatches').where('samlConfigId', '=', samlConfigId).execute()

/** Keeps what the address said, unless someone changed it while it was read. A failed read keeps what it said before. */
export const recordRead = (
  db: Db,
  { samlConfigId, address }: Watch,
  read: { checkedAt: Date; problem: string | null; certificates?: string },
) =>
  db
    .updateTable('samlMetadataWatches')
    .set(read)
    .where('samlConfigId', '=', samlConfigId)
    .where('address', '=', address)
    .execute()

/** Replaces the certificates of a configuration. */
export const updateCertificate = (db: Db, id: number, certificate: string) =>
  db.updateTable('samlConfigs').set({ certificate, version: sql`version + 1` }).where('id', '=', id).execute()
