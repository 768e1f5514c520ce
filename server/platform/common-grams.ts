import { sql } from 'kysely'
import type { Db } from './database.ts'

/** The share of all rows that hold a piece of a word, for the most common pieces; any other piece is rare. */
export type CommonGrams = ReadonlyMap<string, number>

interface Known {
  grams: CommonGrams
  /** When they are to be read anew: milliseconds of the process. */
  until: number
}

// They change as slowly as the names of a people.
const lifetime = 10 * 60_000
const known = new WeakMap<Db, Promise<Known>>()

/**
 * Which pieces of words are common among everybody, from the database's own statistics (`common_grams`). Without
 * statistics none is: a search is right either way, these make it quick.
 */
export async function commonGrams(db: Db): Promise<CommonGrams> {
  const present = known.get(db)
  if (present) {
    const { grams, until } = await present
    if (performance.now() < until) return grams
  }
  const reading = read(db)
  known.set(db, reading)
  reading.catch(() => known.delete(db))
  return (await reading).grams
}

async function read(db: Db): Promise<Known> {
  const { rows } = await sql<{ gram: string; share: number }>`select gram, share from common_grams()`.execute(db)
  return { grams: new Map(rows.map(({ gram, share }) => [gram, share])), until: performance.now() + lifetime }
}
