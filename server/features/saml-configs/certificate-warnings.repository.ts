import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

interface Warning {
  samlConfigId: number
  /** ISO 8601 */
  validTo: string
  daysBefore: number
}

/** Remembers that a warning is sent. The primary key lets one node do it, once. @returns false if it was sent before */
export async function rememberWarning(db: Db, { samlConfigId, validTo, daysBefore }: Warning): Promise<boolean> {
  const { rows } = await sql`
    insert into certificate_warnings (saml_config_id, valid_to, days_before)
    values (${samlConfigId}, ${validTo}::timestamptz, ${daysBefore})
    on conflict do nothing returning 1`.execute(db)
  return rows.length > 0
}
