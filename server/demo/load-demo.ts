import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { System } from '#server/platform/system.ts'
import { addInvitation } from './add-demo-invitation.ts'
import { addAdministration, addMembership } from './add-demo-organization.ts'
import { addPerson } from './add-demo-person.ts'
import { demoOrganizations, demoSuperUser, extraMemberships } from './demo-data.ts'
import type { DemoLoad } from './demo-load.ts'
import { demoIdpAddress, demoIdpEntityId } from './demo-neighbours.ts'

const certificate = new URL('../../simulators/saml-idp/certificate.pem', import.meta.url)

/**
 * Loads the demo into an empty database, in one transaction. Does not change any other database.
 *
 * @returns true if the demo was loaded
 */
export async function loadDemo(system: System): Promise<boolean> {
  if (await findAnyUser(system.db)) return false
  // All users share the password, so hash it once: saves a second at the first start.
  const passwordHash = await system.passwords.hash(system.config.demoPassword)
  const pem = await readFile(certificate, 'utf8')
  return system.db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(hashtext('demo'))`.execute(db)
    if (await findAnyUser(db)) return false
    const samlConfigId = await addSamlConfig(db, system.config, pem)
    const load: DemoLoad = { system, db, now: system.clock(), passwordHash, samlConfigId }
    await addPerson(load, { ...demoSuperUser, lastSeen: 0 }, { loginMethod: 'local', superUser: true })
    const { organizationIds, serviceIds } = await addAdministration(load, demoOrganizations)
    const accountIds = new Map<string, string>()
    for (const organization of demoOrganizations)
      for (const person of organization.people) {
        const { role, services = [], serviceAdminOf } = person
        const organizationId = organizationIds.get(organization.name)
        if (person.invited) {
          await addInvitation(load, { person, mailDomain: organization.mailDomain, organizationId, serviceIds })
          continue
        }
        const { accountId, email } = await addPerson(load, person, organization)
        accountIds.set(email, accountId)
        await addMembership(load, { accountId, organizationId, role, services, serviceAdminOf, serviceIds })
      }
    for (const { email, organization, services } of extraMemberships)
      await addMembership(load, {
        accountId: accountIds.get(email),
        organizationId: organizationIds.get(organization),
        services,
        serviceIds,
      })
    return true
  })
}

const findAnyUser = (db: Db) => db.selectFrom('users').select('accountId').limit(1).executeTakeFirst()

async function addSamlConfig(db: Db, config: Config, pem: string): Promise<number> {
  const { id } = await db
    .insertInto('samlConfigs')
    .values({
      name: 'Fjällrå',
      url: demoIdpAddress(config),
      domain: 'https://fjallra.example',
      entityId: demoIdpEntityId,
      certificate: pem,
      wantAssertionsSigned: true,
      requestSigningEnabled: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
