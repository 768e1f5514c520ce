import { maxSamlSignIns } from '#contract/saml-configs/saml-sign-ins.ts'
import type { Db } from '#server/platform/database/database.ts'

interface Wanted {
  since: Date
  /** Part of an address, or the beginning of a reference; lower case. Empty for all. */
  text: string
  /** Only those that failed. */
  failed: boolean
}

/** The latest sign-ins of a configuration, the newest first. */
export const listSignIns = (db: Db, samlConfigId: number, { since, text, failed }: Wanted) =>
  db
    .selectFrom('samlSignIns')
    .select(['id', 'createdAt', 'email', 'failure', 'detail', 'created', 'reference'])
    .where('samlConfigId', '=', samlConfigId)
    .where('createdAt', '>', since)
    .$if(failed, (query) => query.where('failure', 'is not', null))
    .$if(text !== '', (query) =>
      query.where((row) =>
        row.or([
          row(row.fn<number>('strpos', ['email', row.val(text)]), '>', 0),
          row(row.fn<boolean>('starts_with', ['reference', row.val(text)]), '=', true),
        ]),
      ),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(maxSamlSignIns)
    .execute()
