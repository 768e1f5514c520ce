import { passivePreviewDays, type passiveUsers } from '#contract/passive-users/passive-users.ts'
import { listComing } from '#server/features/passive-users/passive-users.ts'
import { toOffsetAndLimit } from '#server/platform/database/paging.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { toPage, visibleOrganizations } from './user-lists.ts'
import { findOrganization } from './users.repository.ts'

type PreviewContext = Pick<RequestContext<typeof passiveUsers.preview>, 'db' | 'query' | 'config' | 'actor' | 'now'>
type Visible = Parameters<typeof toPage>[2]

/** Who is warned or becomes passive soon: everybody, and the people of an organisation. */
export const passivePreviewHandlers: Handlers<typeof passiveUsers> = {
  preview: (context) => preview(context, {}),
  async previewOfOrganization(context) {
    const { id: organizationId } = context.params
    found(await findOrganization(context.db, organizationId))
    const visible = { ...visibleOrganizations(context, organizationId), servicesIn: { organizationId } }
    return preview(context, visible, organizationId)
  },
}

async function preview(context: PreviewContext, visible: Visible, organizationId?: string) {
  const { db, now, query, config } = context
  const coming = await listComing(db, {
    now,
    days: passivePreviewDays,
    ...toOffsetAndLimit(query, config.itemsPerPage),
    ...(organizationId ? { organizationId } : {}),
  })
  const ids = coming.items.map(({ accountId }) => accountId)
  const page = await toPage(context, { totalCount: coming.totalCount, ids }, visible)
  const byId = new Map(coming.items.map((one) => [one.accountId, one]))
  return {
    ...page,
    items: page.items.flatMap((person) => {
      const one = byId.get(person.accountId)
      if (!one) return []
      const { nextWarningAt, passiveAt } = one
      return [{ ...person, nextWarningAt: nextWarningAt?.toISOString() ?? null, passiveAt: passiveAt.toISOString() }]
    }),
  }
}
