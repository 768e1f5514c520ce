import { type directories, maxScimTokens } from '#contract/scim/scim.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { newId } from '#server/platform/ids.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { generateToken, hashToken } from '#server/platform/secrets/tokens.ts'
import { retryPerson } from './retry-person.ts'
import { listLog } from './scim-log.repository.ts'
import { deleteToken, insertToken, listTokens, lockOrganization, readDirectoryState } from './tokens.repository.ts'

const itemsPerPage = 50
const dayMs = 86_400_000

/** What the admins of an organisation do about its directory. */
export const directoriesHandlers: Handlers<typeof directories> = {
  read: async ({ db, params, config, now }) => {
    const { id: organizationId } = params
    const state = found(await readDirectoryState(db, organizationId))
    const tokens = await listTokens(db, organizationId, now)
    return {
      organizationId,
      ...state,
      address: `${config.baseUrl}/scim/v2`,
      tokens: tokens.map(({ createdAt, expiresAt, lastUsedAt, ...token }) => ({
        ...token,
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      })),
    }
  },
  createToken: async ({ db, params, input, now, audit }) => {
    const { id: organizationId } = params
    const { name, days } = input
    const organization = found(await lockOrganization(db, organizationId))
    const present = await listTokens(db, organizationId, now)
    if (present.length >= maxScimTokens) throw new Problem(409, 'tooManyScimTokens')
    const token = `vst_scim_${generateToken()}`
    const tokenId = newId()
    const expiresAt = new Date(now.getTime() + Number(days) * dayMs)
    await insertToken(db, { tokenId, organizationId, name, tokenHash: hashToken(token), createdAt: now, expiresAt })
    audit({
      name: 'createScimToken',
      target: { id: organizationId, label: organization.name },
      after: { name, expiresAt },
      organizationIds: [organizationId],
    })
    return { tokenId, token, expiresAt: expiresAt.toISOString() }
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
  retry: async (context) => retryPerson(context),
}
