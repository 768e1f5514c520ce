import { newId } from '#server/platform/ids.ts'
import { deriveToken, hashToken } from '#server/platform/secrets/tokens.ts'
import type { System } from '#server/platform/system.ts'
import { createDirectory, type Directory } from '../../simulators/directory/directory.ts'
import type { DemoOrganization } from './demo-data.ts'

const yearMs = 365 * 86_400_000

/** The directory of the demo's company, with a token of its own; undefined where the company is gone. */
export async function connectDemoDirectory(
  { db, keys, config, clock }: System,
  { name, mailDomain }: Pick<DemoOrganization, 'name' | 'mailDomain'>,
): Promise<Directory | undefined> {
  const organization = await db
    .selectFrom('organizations')
    .select('organizationId')
    .where('name', '=', name)
    .executeTakeFirst()
  if (!organization) return undefined
  const { organizationId } = organization
  // The same at each start and on each node, without being stored.
  const [, secret = ''] = deriveToken(keys, { purpose: 'demo directory', id: organizationId, version: 1 }).split('.')
  const token = `vst_scim_${secret}`
  const now = clock()
  const maker = await db
    .selectFrom('currentMemberships')
    .select('accountId')
    .where('organizationId', '=', organizationId)
    .where('userRole', '=', 'organizationAdmin')
    .where('validUntil', 'is', null)
    .where('roleUntil', 'is', null)
    .orderBy('accountId')
    .executeTakeFirst()
  const createdBy = maker?.accountId ?? null
  const times = { createdAt: now, expiresAt: new Date(now.getTime() + yearMs) }
  await db
    .insertInto('scimTokens')
    .values({
      tokenId: newId(),
      organizationId,
      name: 'Demokatalogen',
      tokenHash: hashToken(token),
      ...{ createdBy, answersFor: createdBy, byOperator: false },
      ...times,
    })
    .onConflict((on) => on.column('tokenHash').doUpdateSet({ expiresAt: times.expiresAt }))
    .execute()
  return createDirectory({ organization: name, organizationId, mailDomain, portal: config.baseUrl, token })
}
