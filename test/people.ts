import { isBuiltIn } from '#contract/organization-roles/role-permissions.ts'
import type { PortalRole } from '#contract/portal-roles.ts'
import type { LoginMethod, OrganizationRole, ServiceRole } from '#contract/roles.ts'
import { insertMemberships } from '#server/accounts/directory-groups.ts'
import { newId } from '#server/platform/ids.ts'
import { ssnColumns } from '#server/platform/secrets/ssn.ts'
import type { System } from '#server/platform/system.ts'

/** The password of all test users who have one. */
export const testPassword = 'Correct-horse-7-battery'

/** The password of people who accept. */
export const chosenPassword = 'Brown-otter-42-lamp'

interface PersonOptions {
  email?: string
  firstName?: string | null
  lastName?: string | null
  loginMethod?: LoginMethod
  samlConfigId?: number | null
  superUser?: boolean
  portalRole?: PortalRole
  pending?: boolean
  passive?: boolean
  ssn?: string | null
  /** What has proven the number; default: nothing, it is a claim. */
  ssnProof?: 'bankid' | 'company' | null
  phoneNumber?: string | null
  preferredLanguage?: 'sv' | 'en' | 'fi' | 'fr' | null
  password?: string | null
  /** How the address was proven; default `mailedLink`. */
  emailProof?: 'mailedLink' | 'mailedCode' | 'samlDomain' | 'operator' | null
}

export interface Person {
  accountId: string
  email: string
}

// As many digits for all: lists sort what was made later after what was made before.
let counter = 100_000
let hash: Promise<string> | undefined

/** Creates test data; each call creates a new row. */
export function builders(system: System) {
  const { db, clock } = system

  async function person(options: PersonOptions = {}): Promise<Person> {
    const accountId = newId()
    const { loginMethod = 'local', password = testPassword, emailProof = 'mailedLink' } = options
    const email = options.email ?? `person${++counter}@test.example`
    hash ??= system.passwords.hash(testPassword)
    const local = loginMethod === 'local' || loginMethod === 'local2FA'
    const passwordHash =
      !local || password === null
        ? null
        : password === testPassword
          ? await hash
          : await system.passwords.hash(password)
    await db
      .insertInto('users')
      .values({
        accountId,
        email,
        firstName: options.firstName === undefined ? 'Test' : options.firstName,
        lastName: options.lastName === undefined ? `Person${counter}` : options.lastName,
        loginMethod,
        samlConfigId: options.samlConfigId ?? null,
        superUser: options.superUser ?? false,
        pending: options.pending ?? false,
        passiveAt: options.passive ? clock() : null,
        phoneNumber: options.phoneNumber ?? null,
        preferredLanguage: options.preferredLanguage ?? null,
        passwordHash,
        emailProof,
        emailProvenAt: emailProof === null || emailProof === 'operator' ? null : clock(),
        lastActive: clock(),
        ...ssnColumns(system.keys, { accountId, ssn: options.ssn ?? null }),
        ...(options.ssnProof && { ssnProof: options.ssnProof, ssnProvenAt: clock() }),
      })
      .execute()
    if (options.portalRole)
      await db.insertInto('allGrants').values({ accountId, roleKey: options.portalRole }).execute()
    return { accountId, email }
  }

  async function organization(name = `Organisation ${++counter}`, loginMethod: LoginMethod = 'local') {
    const organizationId = newId()
    const samlConfigId = loginMethod === 'saml' ? await samlConfig() : null
    await db.insertInto('organizations').values({ organizationId, name, loginMethod, samlConfigId }).execute()
    return { organizationId, name, samlConfigId }
  }

  async function samlConfig(domain = 'https://company.example') {
    const { id } = await db
      .insertInto('samlConfigs')
      .values({ name: `SAML ${++counter}`, url: `${domain}/sso`, domain, certificate: 'none yet' })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  async function service(name = `Service ${++counter}`, url = 'https://service.example') {
    const serviceId = newId()
    await db.insertInto('services').values({ serviceId, name, url }).execute()
    return { serviceId, name, url }
  }

  const offer = (organizationId: string, serviceId: string, maxNumberOfUsers: number | null = null) =>
    db.insertInto('organizationServices').values({ organizationId, serviceId, maxNumberOfUsers }).execute()

  /** @param entry `opened`: the account's own sign-in is enough */
  const join = (
    accountId: string,
    organizationId: string,
    userRole: OrganizationRole = 'regular',
    entry: 'opened' | 'joined' | 'guest' = 'opened',
  ) => db.transaction().execute((trx) => insertMemberships(trx, [{ accountId, organizationId, userRole, entry }]))

  const assign = (accountId: string, organizationId: string, serviceId: string, userRole: ServiceRole = 'regular') =>
    db.insertInto('serviceAssignments').values({ accountId, organizationId, serviceId, userRole }).execute()

  /** Gives a role beside the admin role: a built-in one by its key, or one of the organisation's own by its id. */
  const give = (accountId: string, organizationId: string, role: string) =>
    db
      .insertInto('allGrants')
      .values({ accountId, organizationId, ...(isBuiltIn(role) ? { roleKey: role } : { roleId: role }) })
      .execute()

  /** Gives a role for one service or one group of an organisation. */
  const giveScoped = (
    accountId: string,
    organizationId: string,
    part: { serviceId: string } | { groupId: string },
    days: { validFrom?: Date; validUntil?: Date } = {},
  ) =>
    db
      .insertInto('allGrants')
      .values({
        accountId,
        organizationId,
        roleKey: 'serviceId' in part ? 'serviceOwner' : 'groupAdmin',
        ...part,
        ...days,
      })
      .execute()

  return { person, organization, samlConfig, service, offer, join, assign, give, giveScoped }
}
