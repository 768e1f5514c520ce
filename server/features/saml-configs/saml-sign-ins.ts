import type { SamlFailure, samlSignIns } from '#contract/saml-configs/saml-sign-ins.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { findSamlConfig } from './saml-configs.repository.ts'
import { listSignIns } from './saml-sign-ins.repository.ts'

export const samlSignInsHandlers: Handlers<typeof samlSignIns> = {
  list: async ({ db, params, query, now, config }) => {
    const { id } = found(await findSamlConfig(db, Number(params.id)))
    const { searchQuery, failed } = query
    const text = searchQuery.trim().toLowerCase()
    const since = new Date(now.getTime() - config.keepSamlSignIns * 86_400_000)
    const rows = await listSignIns(db, id, { since, text, failed: failed === 'true' })
    return rows.map(({ createdAt, failure, ...row }) => ({
      ...row,
      at: createdAt.toISOString(),
      failure: failure as SamlFailure | null,
    }))
  },
}
