import type { Db } from '../database/database.ts'

/** Marks an address that the mail server refused for good. */
export const rememberRefusal = (db: Db, { address, now }: { address: string; now: Date }) =>
  db
    .insertInto('refusedAddresses')
    .values({ address, refusedAt: now })
    .onConflict((conflict) => conflict.column('address').doUpdateSet({ refusedAt: now }))
    .execute()

/** A mail has got through. */
export const forgetRefusal = (db: Db, address: string) =>
  db.deleteFrom('refusedAddresses').where('address', '=', address).execute()
