import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '#server/config.ts'
import { sealAndCount } from '#server/platform/audit/sealer.ts'
import type { Db } from '#server/platform/database/database.ts'
import { found } from '#server/platform/problem.ts'
import type { System } from '#server/platform/system.ts'
import { addGroups } from './add-demo-groups.ts'
import { addHistory, addSamlSignIns } from './add-demo-history.ts'
import { addInvitations, type DemoInvitation } from './add-demo-invitations.ts'
import { addAdministration } from './add-demo-organization.ts'
import { accountOf, addAccounts, addMemberships } from './add-demo-people.ts'
import { addReview } from './add-demo-review.ts'
import { addTexts } from './add-demo-texts.ts'
import { endingCertificate } from './demo-certificate.ts'
import { demoAuditor, demoOrganizations, demoSuperUser, extraMemberships, heldRoles, scopedRoles } from './demo-data.ts'
import { type DemoLoad, dayMs, storyDays } from './demo-load.ts'
import { demoIdpAddress, demoIdpEntityId } from './demo-neighbours.ts'
import { demoStory } from './demo-story.ts'
import type { DemoWorld } from './demo-world.ts'

const privateKey = join(import.meta.dirname, '../../simulators/saml-idp/key.pem')

/**
 * Loads the demo into an empty database with what happened there before, in one transaction, so that a start that ends in
 * the middle leaves nothing behind and the next one loads it whole. Does not change any other database.
 *
 * @returns true if the demo was loaded
 */
export async function loadDemo(system: System): Promise<boolean> {
  if (await findAnyUser(system.db)) return false
  // All users share the password, so hash it once: saves a second at the first start.
  const passwordHash = await system.passwords.hash(system.config.demoPassword)
  const keyPem = await readFile(privateKey, 'utf8')
  const now = system.clock()
  const loaded = await system.db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(hashtext('demo'))`.execute(db)
    if (await findAnyUser(db)) return undefined
    const samlConfig = await addSamlConfig(db, system.config, endingCertificate(keyPem, now))
    const since = new Date(now.getTime() - storyDays * dayMs)
    const world = await addEverything({ system, db, now, since, passwordHash, samlConfigId: samlConfig.id })
    const story = demoStory({ ...world, samlConfig }, now)
    await addHistory(db, story)
    await addSamlSignIns(db, story, now)
    return true
  })
  if (!loaded) return false
  // What a busy machine leaves of this is done by the sealer, which starts with the server.
  await sealAndCount(system.db).catch((err) => system.log.warn({ err }, 'the events of the demo wait to be sealed'))
  return true
}

async function addEverything(load: DemoLoad): Promise<Omit<DemoWorld, 'samlConfig'>> {
  const { organizationIds, serviceIds } = await addAdministration(load, demoOrganizations)
  await addTexts(load, organizationIds)
  const accounts = [
    accountOf(load, { ...demoSuperUser, lastSeen: 0 }, { loginMethod: 'local', superUser: true }),
    accountOf(load, { ...demoAuditor, lastSeen: 1 }, { loginMethod: 'local', portalRole: 'auditor' }),
  ]
  for (const organization of demoOrganizations) {
    const how = { ...organization, organizationId: found(organizationIds.get(organization.name)) }
    for (const person of organization.people) if (!person.invited) accounts.push(accountOf(load, person, how))
  }
  await addAccounts(load, accounts)
  const own = accounts.flatMap((account) =>
    account.organizationIds.map((organizationId) => ({ account, organizationId, person: account.person })),
  )
  const extra = extraMemberships.map(({ email, organization, ...person }) => ({
    account: accounts.find((account) => account.email === email),
    organizationId: organizationIds.get(organization),
    person,
    joined: true,
  }))
  await addMemberships(load, [...own, ...extra], serviceIds)
  for (const { email, organization, roleKey } of heldRoles) {
    const { accountId } = found(accounts.find((account) => account.email === email))
    await load.db
      .insertInto('allGrants')
      .values({ accountId, organizationId: found(organizationIds.get(organization)), roleKey })
      .execute()
  }
  for (const { account, organizationId } of extra) account?.organizationIds.push(found(organizationId))
  const groupIds = await addGroups(load, organizationIds, serviceIds)
  for (const one of scopedRoles) {
    const { accountId } = found(accounts.find(({ email }) => email === one.email))
    const organizationId = found(organizationIds.get(one.organization))
    const part =
      'group' in one
        ? { roleKey: 'groupAdmin', groupId: groupIds.get(one.group) }
        : { roleKey: 'serviceOwner', serviceId: serviceIds.get(one.service) }
    const validUntil = 'endsIn' in one ? sql<Date>`access_day() + ${one.endsIn}::integer` : null
    await load.db
      .insertInto('allGrants')
      .values({ accountId, organizationId, ...part, validUntil })
      .execute()
  }
  await addReview(load, organizationIds, serviceIds)
  const invitations: DemoInvitation[] = []
  for (const organization of demoOrganizations) {
    const organizationId = found(organizationIds.get(organization.name))
    const inviter = found(
      accounts.find(
        ({ person, organizationIds }) => person.role === 'organizationAdmin' && organizationIds[0] === organizationId,
      ),
    )
    invitations.push(...(await addInvitations(load, { organization, organizationId, inviter, serviceIds })))
  }
  return { organizationIds, accounts, invitations }
}

const findAnyUser = (db: Db) => db.selectFrom('users').select('accountId').limit(1).executeTakeFirst()

async function addSamlConfig(db: Db, config: Config, certificate: string) {
  const samlConfig = await db
    .insertInto('samlConfigs')
    .values({
      name: 'Fjällrå',
      url: demoIdpAddress(config),
      domain: 'https://fjallra.example',
      entityId: demoIdpEntityId,
      certificate,
      wantAssertionsSigned: true,
      assertsNumbers: true,
      requestSigningEnabled: true,
    })
    .returning(['id', 'name', 'domain'])
    .executeTakeFirstOrThrow()
  await db
    .insertInto('samlDomains')
    .values({
      samlConfigId: samlConfig.id,
      domain: 'fjallra-energi.example',
      token: randomBytes(16).toString('hex'),
      addedAt: new Date(),
    })
    .execute()
  return samlConfig
}
