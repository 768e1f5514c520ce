import type { OrganizationRole } from '#contract/roles.ts'
import { registerClient } from '#server/oidc/service-clients.ts'
import { newId } from '#server/platform/ids.ts'
import { found } from '#server/platform/problem.ts'
import type { DemoOrganization } from './demo-data.ts'
import type { DemoLoad } from './demo-load.ts'
import { demoClientAddresses, demoClientId, demoServices, demoServiceUrl } from './demo-services.ts'

/** Adds the services, the organisations, and the services of each organisation with their seats. */
export async function addAdministration(load: DemoLoad, organizations: readonly DemoOrganization[]) {
  const { db, samlConfigId } = load
  const services = await addServices(load)
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

/** Adds the services, each with its client. */
async function addServices({ system, db }: DemoLoad) {
  const services = demoServices.map(({ name, path }) => ({
    serviceId: newId(),
    name,
    url: demoServiceUrl(system.config, path),
    clientId: demoClientId(path),
  }))
  await db
    .insertInto('services')
    .values(services.map(({ serviceId, name, url }) => ({ serviceId, name, url })))
    .execute()
  for (const { serviceId, url, clientId } of services)
    await registerClient(system, db, { clientId, serviceId, ...demoClientAddresses(url) })
  return services
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
