import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database.ts'
import type { System } from '#server/platform/system.ts'
import { addAdministration, addMembership } from './add-demo-organization.ts'
import { addPerson } from './add-demo-person.ts'
import { alsoMemberOf, demoOrganizations, demoSuperUser } from './demo-data.ts'
import { demoIdp, demoIdpAddress } from './demo-idp-address.ts'

const certificate = new URL('../../simulators/saml-idp/certificate.pem', import.meta.url)

/** What the parts of the demo share while it is loaded. */
export interface DemoLoad {
  system: System
  db: Db
  now: Date
  passwordHash: string
  samlConfigId: number
}

/**
 * Fills an empty database with the demo, in one transaction; leaves any other database alone.
 *
 * @returns whether the demo was loaded now
 */
export async function loadDemo(system: System): Promise<boolean> {
  if (await anybody(system.db)) return false
  // One hash serves everybody: they share the password, and a first start need not take a second longer.
  const passwordHash = await system.passwords.hash(system.config.demoPassword)
  const pem = await readFile(certificate, 'utf8')
  return system.db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(hashtext('demo'))`.execute(db)
    if (await anybody(db)) return false
    const samlConfigId = await addSamlConfig(db, system.config, pem)
    const load: DemoLoad = { system, db, now: system.clock(), passwordHash, samlConfigId }
    await addPerson(load, { ...demoSuperUser, lastSeen: 0 }, { loginMethod: 'local', superUser: true })
    const { organizationIds, serviceIds } = await addAdministration(load, demoOrganizations)
    const accountIds = new Map<string, string>()
    for (const organization of demoOrganizations)
      for (const person of organization.people) {
        const { accountId, email } = await addPerson(load, person, organization)
        accountIds.set(email, accountId)
        const { role, services = [], serviceAdminOf } = person
        const organizationId = organizationIds.get(organization.name)
        await addMembership(load, { accountId, organizationId, role, services, serviceAdminOf, serviceIds })
      }
    for (const { email, organization, services } of alsoMemberOf)
      await addMembership(load, {
        accountId: accountIds.get(email),
        organizationId: organizationIds.get(organization),
        services,
        serviceIds,
      })
    return true
  })
}

const anybody = (db: Db) => db.selectFrom('users').select('accountId').limit(1).executeTakeFirst()

async function addSamlConfig(db: Db, config: Config, pem: string): Promise<number> {
  const { id } = await db
    .insertInto('samlConfigs')
    .values({
      name: 'Fjällrå',
      url: demoIdpAddress(config),
      domain: 'https://fjallra.example',
      entityId: demoIdp,
      certificate: pem,
      wantAssertionsSigned: true,
      requestSigningEnabled: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
