import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newClient } from '#contract/service-clients/client-form.ts'
import { storedLogo } from '#server/features/brands/brands.ts'
import { registerClient } from '#server/oidc/clients/service-clients.ts'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import { newId } from '#server/platform/ids.ts'
import type { DemoOrganization } from './demo-data.ts'
import { type DemoLoad, dayMs } from './demo-load.ts'
import { demoCategories, demoClientAddresses, demoClientId, demoServices, demoServiceUrl } from './demo-services.ts'

/** Adds the services, the organisations, and the services of each organisation with their seats. */
export async function addAdministration(load: DemoLoad, organizations: readonly DemoOrganization[]) {
  const { db, samlConfigId } = load
  const services = await addServices(load)
  const organizationIds = new Map<string, string>()
  for (const { name, organizationNumber, loginMethod, seats, maxPassiveDays = 180, ...more } of organizations) {
    const organizationId = newId()
    organizationIds.set(name, organizationId)
    const saml = loginMethod === 'saml' ? { samlConfigId } : {}
    const strongAdmins = more.strongAdminsIn ? { strongAdminsFrom: dayIn(load.now, more.strongAdminsIn) } : {}
    const rules = { loginMethod, maxPassiveDays, ...saml, ...strongAdmins }
    await db
      .insertInto('organizations')
      .values({ organizationId, name, organizationNumber, createdAt: load.since, ...rules })
      .execute()
    if (more.hasBrand) await addBrand(load, organizationId)
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

/** The images stand beside this file. */
async function addBrand({ db }: DemoLoad, organizationId: string) {
  const read = (name: string) => {
    const png = readFileSync(join(import.meta.dirname, `${name}.png`))
    return storedLogo('logo', `data:image/png;base64,${png.toString('base64')}`, null)
  }
  const [light, dark] = await Promise.all([read('havsvik-logo'), read('havsvik-logo-dark')])
  await db
    .insertInto('organizationBrands')
    .values({
      organizationId,
      hue: 210,
      logo: light?.address ?? null,
      logoImage: light?.image ?? null,
      darkLogo: dark?.address ?? null,
      darkLogoImage: dark?.image ?? null,
      signInHost: 'havsvik.localhost',
    })
    .execute()
}

const dayIn = (now: Date, days: number) => new Date(now.getTime() + days * dayMs).toISOString().slice(0, 10)

/** Adds the services, each with its client. */
async function addServices({ system, db, since }: DemoLoad) {
  const services = demoServices.map(({ name, path, about, category, icon, requestable = false, roles = {} }) => ({
    serviceId: newId(),
    roles,
    form: { name, url: demoServiceUrl(system.config, path), description: about.sv, category, icon, requestable },
    name,
    clientId: demoClientId(path),
  }))
  await db
    .insertInto('services')
    .values(services.map(({ serviceId, form }) => ({ serviceId, ...form })))
    .execute()
  const roles = services.flatMap(({ serviceId, roles }) =>
    Object.entries(roles).map(([key, { sv, en }]) => ({ roleId: newId(), serviceId, key, nameSv: sv, nameEn: en })),
  )
  await db.insertInto('serviceRoles').values(roles).execute()
  await db
    .insertInto('serviceCategories')
    .values(demoCategories.map((name, position) => ({ name, position })))
    .execute()
  for (const { serviceId, name, form, clientId } of services) {
    await writeAuditEvent(
      db,
      { name: 'createService', target: { id: serviceId, label: name }, after: form },
      { requestId: 'demo', now: since },
    )
    const { event } = await registerClient({ ...system, clock: () => since }, db, {
      clientId,
      serviceId,
      form: { ...newClient, ...demoClientAddresses(form.url) },
    })
    await writeAuditEvent(db, event, { requestId: 'demo', now: since })
  }
  return services
}
