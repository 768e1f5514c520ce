import { sql } from 'kysely'
import type { PortalRole } from '#contract/portal-roles.ts'
import { insertMemberships } from '#server/accounts/directory-groups.ts'
import { insertApp } from '#server/credentials/factors/authenticator-apps.repository.ts'
import { fromBase32 } from '#server/credentials/factors/totp.ts'
import { newId } from '#server/platform/ids.ts'
import { found } from '#server/platform/problem.ts'
import { sealSsn } from '#server/platform/secrets/ssn.ts'
import type { DemoOrganization } from './demo-data.ts'
import { type DemoLoad, dayMs } from './demo-load.ts'
import { type DemoPerson, emailOf } from './demo-people.ts'
import { testPersonalNumber } from './test-personal-number.ts'

/** A person of the demo who has an account. */
export interface DemoAccount {
  accountId: string
  email: string
  person: DemoPerson
  loginMethod: DemoOrganization['loginMethod']
  lastSeen: Date
  superUser: boolean
  portalRole: PortalRole | null
  /** The organisations that they belong to. */
  organizationIds: string[]
}

type How = Pick<DemoOrganization, 'loginMethod'> & {
  mailDomain?: string
  superUser?: boolean
  portalRole?: PortalRole
  organizationId?: string
}

/** Prepares a person with the organisation's login method, as if they had accepted an invitation by mail. */
export function accountOf({ now }: DemoLoad, person: DemoPerson, how: How): DemoAccount {
  const { loginMethod, mailDomain = '', superUser = false, portalRole = null, organizationId } = how
  const email = emailOf(person, mailDomain)
  // Not everybody in the same second.
  const minutes = (email.length * 29) % 150
  return {
    accountId: newId(),
    email,
    person,
    loginMethod,
    lastSeen: new Date(now.getTime() - (person.lastSeen ?? 30) * dayMs - minutes * 60_000),
    superUser,
    portalRole,
    organizationIds: organizationId ? [organizationId] : [],
  }
}

/** Adds all accounts in one statement: triggers that keep the lists run once. */
export async function addAccounts(load: DemoLoad, accounts: readonly DemoAccount[]): Promise<void> {
  const { db, now, since, system, passwordHash, samlConfigId } = load
  await db
    .insertInto('users')
    .values(
      accounts.map(({ accountId, email, person, loginMethod, lastSeen, superUser, portalRole }) => ({
        accountId,
        email,
        firstName: person.firstName,
        lastName: person.lastName,
        ...(person.born && loginMethod === 'bankid' && { ssnProof: 'bankid', ssnProvenAt: lastSeen }),
        ...(person.born
          ? sealSsn(system.keys, accountId, testPersonalNumber(person.born))
          : { ssnSealed: null, ssnIndex: null }),
        phoneNumber: person.phoneNumber ?? null,
        preferredLanguage: person.preferredLanguage ?? null,
        loginMethod,
        usualFactor: person.app ? ('app' as const) : null,
        samlConfigId: loginMethod === 'saml' ? samlConfigId : null,
        superUser,
        hasPortalRole: portalRole !== null,
        emailProof: 'mailedLink' as const,
        emailProvenAt: since,
        passwordHash: loginMethod === 'local' || loginMethod === 'local2FA' ? passwordHash : null,
        passiveAt: person.passive ? now : null,
        lastLogin: lastSeen,
        lastActive: lastSeen,
        createdAt: since,
      })),
    )
    .execute()
  for (const { accountId, portalRole } of accounts)
    if (portalRole) await db.insertInto('allGrants').values({ accountId, roleKey: portalRole }).execute()
  for (const { accountId, person } of accounts)
    if (person.app) await insertApp(db, system.keys, { accountId, secret: fromBase32(person.app), step: 0 }, since)
}

interface DemoMembership {
  account: DemoAccount | undefined
  organizationId: string | undefined
  person: Pick<DemoPerson, 'role' | 'services' | 'serviceAdminOf' | 'serviceRoles' | 'endsIn'>
  /** Joined with the account of another organisation. */
  joined?: boolean
}

/** Adds people to organisations and assigns their services. */
export async function addMemberships(
  { db, since }: DemoLoad,
  memberships: readonly DemoMembership[],
  serviceIds: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = memberships.map(({ account, organizationId, person, joined }) => ({
    entry: joined ? ('joined' as const) : ('opened' as const),
    accountId: found(account).accountId,
    organizationId: found(organizationId),
    person,
  }))
  await insertMemberships(
    db,
    rows.map(({ person, ...row }) => ({
      ...row,
      userRole: person.role ?? ('regular' as const),
      roleSince: since,
      validUntil: sql<Date | null>`access_day() + ${person.endsIn ?? null}::integer`,
    })),
  )
  await db
    .insertInto('serviceAssignments')
    .values(
      rows.flatMap(({ person, entry: _, ...ids }) =>
        (person.services ?? []).map((name) => ({
          ...ids,
          serviceId: found(serviceIds.get(name)),
          userRole: name === person.serviceAdminOf ? ('serviceAdmin' as const) : ('regular' as const),
        })),
      ),
    )
    .execute()
  for (const { person, accountId, organizationId } of rows)
    for (const [service, key] of Object.entries(person.serviceRoles ?? {}))
      await db
        .insertInto('allGrants')
        .columns(['accountId', 'organizationId', 'inServiceId', 'serviceRoleId'])
        .expression(({ selectFrom, val, cast }) =>
          selectFrom('serviceRoles')
            .select([
              cast<string>(val(accountId), 'uuid').as('accountId'),
              cast<string>(val(organizationId), 'uuid').as('organizationId'),
              'serviceId',
              'roleId',
            ])
            .where('serviceId', '=', found(serviceIds.get(service)))
            .where('key', '=', key),
        )
        .execute()
}
