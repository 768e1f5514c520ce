import type pg from 'pg'

/** Counters, sessions and the work of background jobs; a refused request may touch them. */
const incidental =
  /^(sessions|limits|idempotency_keys|repeated_failures|audit_(chain|head|unsealed|checks)|job_runs|provider_artifacts|migrations)$/

/** One hash per table; by default of what people entered and what was recorded about it. */
export async function tableDigests(pool: pg.Pool, { leaveOut = incidental } = {}): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  const names = tables.map(({ name }) => name as string).filter((name) => !leaveOut.test(name))
  const { rows } = await pool.query(
    names
      .map(
        (name) =>
          `select '${name}' as name, md5(coalesce(string_agg(t::text, '' order by t::text), '')) from ${name} t`,
      )
      .join(' union all '),
  )
  return Object.fromEntries(rows.map(({ name, md5 }) => [name, md5]))
}
