import type { OrganizationRole } from '#contract/roles.ts'
import { newId } from '#server/platform/ids.ts'
import { found } from '#server/platform/problem.ts'
import { type DemoOrganization, demoServices } from './demo-data.ts'
import type { DemoLoad } from './demo-load.ts'

/** Adds the services, the organisations, and the services of each organisation with their seats. */
export async function addAdministration({ db, samlConfigId }: DemoLoad, organizations: readonly DemoOrganization[]) {
  const services = demoServices.map((service) => ({ serviceId: newId(), ...service }))
  await db.insertInto('services').values(services).execute()
  const organizationIds = new Map<string, string>()
  for (const { name, organizationNumber, loginMethod, seats } of organizations) {
    const organizationId = newId()
    organizationIds.set(name, organizationId)
    const saml = loginMethod === 'saml' ? { samlConfigId } : {}
    await db
      .insertInto('organizations')
      .values({ organizationId, name, organizationNumber, loginMethod, ...saml })
      .execute()
    await db
      .insertInto('organizationServices')
      .values(
        services.map((service) => ({
          organizationId,
          serviceId: service.serviceId,
          maxNumberOfUsers: seats[service.name] ?? null,
        })),
      )
      .execute()
  }
  return { organizationIds, serviceIds: new Map(services.map((service) => [service.name, service.serviceId])) }
}

interface DemoMembership {
  accountId: string | undefined
  organizationId: string | undefined
  role?: OrganizationRole | undefined
  services: readonly string[]
  serviceAdminOf?: string | undefined
  serviceIds: ReadonlyMap<string, string>
}

/** Adds a person to an organisation and assigns their services. */
export async function addMembership({ db }: DemoLoad, membership: DemoMembership): Promise<void> {
  const accountId = found(membership.accountId)
  const organizationId = found(membership.organizationId)
  await db
    .insertInto('memberships')
    .values({ accountId, organizationId, userRole: membership.role ?? 'regular' })
    .execute()
  for (const name of membership.services) {
    const serviceId = found(membership.serviceIds.get(name))
    const userRole = name === membership.serviceAdminOf ? 'serviceAdmin' : 'regular'
    await db.insertInto('serviceAssignments').values({ accountId, organizationId, serviceId, userRole }).execute()
  }
}
