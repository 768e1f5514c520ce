import { maxSamlSignIns, type SamlFailure, type samlSignIns } from '#contract/saml-configs/saml-sign-ins.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { findSamlConfig } from './saml-configs.repository.ts'

export const samlSignInsHandlers: Handlers<typeof samlSignIns> = {
  list: async ({ db, params, query, now, config }) => {
    const { id } = found(await findSamlConfig(db, Number(params.id)))
    const { searchQuery, failed } = query
    const text = searchQuery.trim().toLowerCase()
    const rows = await db
      .selectFrom('samlSignIns')
      .select(['id', 'createdAt', 'email', 'failure', 'detail', 'created', 'reference'])
      .where('samlConfigId', '=', id)
      .where('createdAt', '>', new Date(now.getTime() - config.keepSamlSignIns * 86_400_000))
      .$if(failed === 'true', (query) => query.where('failure', 'is not', null))
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
    return rows.map(({ createdAt, failure, ...row }) => ({
      ...row,
      at: createdAt.toISOString(),
      failure: failure as SamlFailure | null,
    }))
  },
}
