import { sql } from 'kysely'
import type { SamlFailure } from '#contract/saml-configs/saml-sign-ins.ts'
import type { Db } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/ids.ts'

interface Recorded {
  samlConfigId: number
  now: Date
  email?: string | undefined
  /** What it failed at; none: it was accepted. */
  failure?: SamlFailure
  /** Its reason; of an accepted one, what was ignored. */
  detail?: string | undefined
  /** The account was created by it. */
  created?: boolean
  /** The id of the request, which the sign-in page shows. */
  reference: string
}

/** What anyone can cause, without an answer of the company. */
const causedByAnyone: readonly SamlFailure[] = ['unsolicited', 'unreachable']
/** How many of each such failure of a configuration are kept per hour. */
const maxCaused = 60

/** Keeps the outcome of a sign-in for support. */
export async function recordCompanySignIn(
  db: Db,
  { samlConfigId, now, email = '', failure, detail, created = false, reference }: Recorded,
): Promise<void> {
  // Also nothing where the configuration has just been deleted.
  await sql`
    insert into saml_sign_ins (id, saml_config_id, created_at, email, failure, detail, created, reference)
    select ${newId()}, id, ${now}, nullif(${email}::text, ''), ${failure ?? null}::text, nullif(${detail ?? ''}::text, ''), ${created}::boolean, ${reference}
    from saml_configs where id = ${samlConfigId}
      and (${!failure || !causedByAnyone.includes(failure)} or ${maxCaused} > (
        select count(*) from saml_sign_ins where saml_config_id = ${samlConfigId} and failure = ${failure ?? ''}
          and created_at > ${new Date(now.getTime() - 3600_000)}))`.execute(db)
}
