import { actsForOperator } from '#contract/actor.ts'
import type { directories } from '#contract/scim/scim.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { mapGroup } from './groups/map-group.ts'
import { countScimGroups } from './groups/scim-groups.repository.ts'
import { listDirectoryGroups } from './groups/scim-members.repository.ts'
import { describeToken, makerOf, makeToken } from './make-token.ts'
import { retryPerson } from './retry-person.ts'
import { scimAddress } from './scim-answers.ts'
import { listLog } from './scim-log.repository.ts'
import { answerFor } from './token-power.repository.ts'
import { deleteToken, listTokens, lockOrganization, readDirectoryState } from './tokens.repository.ts'

const itemsPerPage = 50
const groupsPerPage = 25

/** What the admins of an organisation do about its directory. */
export const directoriesHandlers: Handlers<typeof directories> = {
  read: async ({ db, params, config, now, actor }) => {
    const { id: organizationId } = params
    const state = found(await readDirectoryState(db, organizationId))
    const tokens = await listTokens(db, organizationId, now)
    return {
      organizationId,
      ...state,
      address: scimAddress(config),
      tokens: tokens.map((token) => ({ tokenId: token.tokenId, ...describeToken(token), ...makerOf(actor, token) })),
    }
  },
  createToken: async ({ db, actor, params, input, now, audit }) => {
    const { id: organizationId } = params
    const { event, ...made } = await makeToken(db, now, {
      ...{ organizationId, name: input.name, days: Number(input.days) },
      ...{ createdBy: actor.accountId, byOperator: actsForOperator(actor, organizationId) },
    })
    audit(event)
    return made
  },
  confirmToken: async ({ db, params, actor, audit, now }) => {
    const { id: organizationId, tokenId } = params
    const organization = found(await lockOrganization(db, organizationId))
    const { name } = found(await answerFor(db, { organizationId, tokenId, accountId: actor.accountId }, now))
    audit({
      name: 'confirmScimToken',
      target: { id: organizationId, label: organization.name },
      after: { name },
      organizationIds: [organizationId],
    })
    return undefined
  },
  revokeToken: async ({ db, params, audit }) => {
    const { id: organizationId, tokenId } = params
    const organization = found(await lockOrganization(db, organizationId))
    const { name } = found(await deleteToken(db, { organizationId, tokenId }))
    audit({
      name: 'revokeScimToken',
      target: { id: organizationId, label: organization.name },
      before: { name },
      organizationIds: [organizationId],
    })
    return undefined
  },
  log: async ({ db, params, query, now }) => {
    const { page = 1 } = query ?? {}
    const offset = (page - 1) * itemsPerPage
    found(await readDirectoryState(db, params.id))
    const { total, rows } = await listLog(db, params.id, { offset, limit: itemsPerPage, now })
    return { itemsPerPage, totalCount: total, items: rows }
  },
  groups: async ({ db, params, query }) => {
    const { id: organizationId } = params
    const { page = 1 } = query ?? {}
    found(await readDirectoryState(db, organizationId))
    return {
      itemsPerPage: groupsPerPage,
      totalCount: await countScimGroups(db, organizationId),
      items: await listDirectoryGroups(db, {
        ...{ organizationId, offset: (page - 1) * groupsPerPage, limit: groupsPerPage },
      }),
    }
  },
  mapGroup,
  retry: async (context) => retryPerson(context),
}
