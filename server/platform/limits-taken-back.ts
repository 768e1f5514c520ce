import { type RawBuilder, sql } from 'kysely'

/**
 * Expressions of a statement: forgets what is counted in some rows, takes one event back in others. Whoever was counted
 * found no block, so a block that stands now came with the event that is taken back. Reading from `settled` does it all.
 *
 * @param forgotten keys of rows of the table `limits`, as are `refunded`
 */
export function takenBack(forgotten: readonly string[], refunded: readonly string[], now: Date): RawBuilder<unknown> {
  return sql`
    held as (
      select key from limits where key = any (${[...forgotten, ...refunded]}::text[]) order by key for update
    ), forgotten as (
      delete from limits using held where limits.key = held.key and limits.key = any (${forgotten}::text[])
      returning 1
    ), refunded as (
      update limits set count = count - 1, blocked_until = null
      from held where limits.key = held.key and limits.key = any (${refunded}::text[])
        and count > 0 and window_ends_at > ${now}
      returning 1
    ), settled as materialized (
      select (select count(*) from forgotten) + (select count(*) from refunded) as count
    )`
}
