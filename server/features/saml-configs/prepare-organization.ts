import type { samlConfigs } from '#contract/saml-configs/saml-configs.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { Problem } from '#server/platform/problem.ts'
import { attachToOrganization, findOrganizationForUpdate } from './prepared-organizations.repository.ts'

interface Context {
  db: Db
  audit: RequestContext<typeof samlConfigs.create>['audit']
}

/**
 * Gives a new configuration to the organisation that it was made for. One that has a configuration keeps it, until its
 * settings say otherwise.
 *
 * @throws Problem 422 for an organisation that does not exist
 */
export async function prepareOrganization(
  { db, audit }: Context,
  organizationId: string,
  samlConfigId: number,
): Promise<void> {
  const organization = await findOrganizationForUpdate(db, organizationId)
  if (!organization)
    throw new Problem(422, 'validationFailed', { issues: [{ path: 'organizationId', message: 'notFound' }] })
  if (!(await attachToOrganization(db, organizationId, samlConfigId))) return
  audit({
    name: 'updateOrganization',
    target: { id: organizationId, label: organization.name },
    before: { samlConfigId: null },
    after: { samlConfigId },
    organizationIds: [organizationId],
  })
}
