import type { Actor } from '#contract/actor.ts'
import { can } from '#contract/permissions.ts'
import { maxScimTokens, type ScimToken } from '#contract/scim/scim.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/ids.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { generateToken, hashToken } from '#server/platform/secrets/tokens.ts'
import { insertToken, listTokens, lockOrganization } from './tokens.repository.ts'

interface NewToken {
  organizationId: string
  name: string
  days: number
  /** The set-up link by which it is made. */
  setupId?: string
  /** Who makes it, or the link: it has their right. Null: their account has ended. */
  createdBy: string | null
  /** They work for the operator. */
  byOperator: boolean
}

const dayMs = 86_400_000

/**
 * Makes a token for the directory of an organisation.
 *
 * @returns the token, which is stored nowhere, and its event
 * @throws Problem 409 `tooManyScimTokens`
 */
export async function makeToken(db: Db, now: Date, { organizationId, name, days, setupId, ...maker }: NewToken) {
  const organization = found(await lockOrganization(db, organizationId))
  const present = await listTokens(db, organizationId, now)
  if (present.length >= maxScimTokens) throw new Problem(409, 'tooManyScimTokens')
  const token = `vst_scim_${generateToken()}`
  const tokenId = newId()
  const expiresAt = new Date(now.getTime() + days * dayMs)
  const row = { tokenId, organizationId, name, tokenHash: hashToken(token), createdAt: now, expiresAt }
  await insertToken(db, { ...row, ...maker, setupId: setupId ?? null, answersFor: maker.createdBy })
  const event = {
    name: 'createScimToken',
    target: { id: organizationId, label: organization.name },
    after: { name, expiresAt, ...(setupId && { setupId }) },
    organizationIds: [organizationId],
  } satisfies AuditEntry
  return { tokenId, token, expiresAt: expiresAt.toISOString(), event }
}

type TokenRow = Awaited<ReturnType<typeof listTokens>>[number]

/** A token as it is shown. */
export const describeToken = ({ name, createdAt, expiresAt, lastUsedAt }: TokenRow) => ({
  name,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})

/** Who made a token, as this actor may know it, and whether it has a right today. Customers never learn who operates the portal. */
export const makerOf = (
  actor: Actor,
  { maker, byOperator, operates, setupId, stands }: TokenRow,
): Pick<ScimToken, 'madeBy' | 'byOperator' | 'byLink' | 'stands'> => ({
  madeBy: (byOperator || operates) && !can(actor, 'readAllUsers') ? null : maker,
  byOperator: byOperator || operates,
  byLink: setupId !== null,
  stands,
})
