import { sql } from 'kysely'
import type { Db } from './database.ts'

/** The share of all rows that contain an n-gram, for the most common n-grams; all others are rare. */
export type CommonGrams = ReadonlyMap<string, number>

interface Cached {
  grams: CommonGrams
  /** Expiry, in milliseconds of `performance.now()`. */
  expiresAt: number
}

// The statistics change slowly.
const ttlMs = 10 * 60_000
const cache = new WeakMap<Db, Promise<Cached>>()

/**
 * Loads the n-grams that are common among all users, from the database's statistics (`common_grams`). Without statistics
 * the list is empty. Searches are correct either way; the list only makes them faster.
 */
export async function loadCommonGrams(db: Db): Promise<CommonGrams> {
  const present = cache.get(db)
  if (present) {
    const { grams, expiresAt } = await present
    if (performance.now() < expiresAt) return grams
  }
  const reading = read(db)
  cache.set(db, reading)
  reading.catch(() => cache.delete(db))
  return (await reading).grams
}

async function read(db: Db): Promise<Cached> {
  const { rows } = await sql<{ gram: string; share: number }>`select gram, share from common_grams()`.execute(db)
  return { grams: new Map(rows.map(({ gram, share }) => [gram, share])), expiresAt: performance.now() + ttlMs }
}
