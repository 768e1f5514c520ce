import type { Scoped } from '#contract/actor.ts'
import { type BuiltInRole, isBuiltIn } from '#contract/organization-roles/role-permissions.ts'
import type { PortalRole } from '#contract/portal-roles.ts'
import { putInGroup } from '#server/accounts/groups.repository.ts'
import { newId } from '#server/platform/ids.ts'
import type { Person } from './people.ts'
import type { TestApp } from './test-app.ts'

/** The roles of the access tests; requests without a session are tested separately. */
export const roles = ['user', 'serviceAdmin', 'organizationAdmin', 'superUser', 'passiveUser', 'otherUser'] as const
export type Role = (typeof roles)[number]

/** The relation of a target to the caller. */
export const distances = ['own', 'same', 'foreign', 'missing'] as const
export type Distance = (typeof distances)[number]

/** What a request can be about: everything that an address or a body may name. */
export interface Target {
  accountId: string
  email: string
  organizationId: string
  serviceId: string
  samlConfigId: number
  /** The id of an open invitation, and its address. */
  invitationId: string
  invitedEmail: string
  /** An open request of a member for the service. */
  requestId: string
  /** A group with the service and two people. */
  groupId: string
  /** A role of the organisation's own, which nobody has. */
  roleId: string
}

interface Organization extends Pick<Target, 'invitationId' | 'invitedEmail' | 'requestId' | 'groupId' | 'roleId'> {
  organizationId: string
  samlConfigId: number
  serviceId: string
  /** A regular person with the service. */
  user: Person
  colleague: Person
}

/** Two organisations with data, and a person of each role. */
export interface World {
  people: Record<Role, Person>
  /** A person of both organisations. */
  shared: Person
  home: Organization
  other: Organization
  /** A regular person with a built-in role, one for the service or group of the first organisation, or one in the portal, in a world built so. */
  holder: Person | undefined
  /** The colleague with another service, a request for it, and another group of the first organisation. */
  otherPart: () => Promise<Target>
  target(role: Role | 'holder', distance: Distance): Target
  /** Texts that only the other organisation's data holds: ids, names, addresses, numbers. */
  othersMarks: string[]
}

let worlds = 0

/**
 * Builds a new world, independent of earlier ones.
 *
 * @param held a role that one more person of the first organisation holds: there, for its service or group, or in the whole portal
 */
export async function buildWorld(
  portal: TestApp,
  held?: BuiltInRole | Scoped['role'] | { portalRole: PortalRole },
): Promise<World> {
  const number = ++worlds
  const home = await organization(portal, 'Nordvik', number)
  const other = await organization(portal, 'Solberga', number)
  const join = async (
    person: Person,
    { organizationId, serviceId }: Organization,
    roleThere: 'regular' | 'organizationAdmin',
    roleInService: 'regular' | 'serviceAdmin',
  ) => {
    await portal.join(person.accountId, organizationId, roleThere)
    await portal.assign(person.accountId, organizationId, serviceId, roleInService)
    return person
  }
  const at = (name: string) => ({ email: `${name}.${number}@nordvik.example` })
  const shared = await join(await portal.person(at('shared')), home, 'regular', 'regular')
  await join(shared, other, 'regular', 'regular')
  const people: World['people'] = {
    user: home.user,
    serviceAdmin: await join(await portal.person(at('service-admin')), home, 'regular', 'serviceAdmin'),
    organizationAdmin: await join(await portal.person(at('organization-admin')), home, 'organizationAdmin', 'regular'),
    superUser: await join(await portal.person({ ...at('super-user'), superUser: true }), home, 'regular', 'regular'),
    passiveUser: await join(await portal.person(at('passive-user')), home, 'regular', 'regular'),
    otherUser: other.user,
  }
  const inPortal = typeof held === 'object' ? held : {}
  const holder = held && (await join(await portal.person({ ...at('holder'), ...inPortal }), home, 'regular', 'regular'))
  if (holder && typeof held === 'string') {
    if (isBuiltIn(held)) await portal.give(holder.accountId, home.organizationId, held)
    else {
      const part = held === 'groupAdmin' ? { groupId: home.groupId } : { serviceId: home.serviceId }
      await portal.giveScoped(holder.accountId, home.organizationId, part)
    }
  }
  const about = (person: Person, { user: _, colleague: __, ...organization }: Organization): Target => ({
    ...person,
    ...organization,
  })
  return {
    people,
    holder,
    async otherPart() {
      const { serviceId } = await portal.service(`Other service ${number}`)
      await portal.offer(home.organizationId, serviceId)
      await portal.assign(home.colleague.accountId, home.organizationId, serviceId)
      const groupId = await group(portal, { ...home, name: 'Other', serviceId }, [home.colleague])
      const requestId = newId()
      const request = { requestId, accountId: home.user.accountId, organizationId: home.organizationId, serviceId }
      await portal.system.db
        .insertInto('accessRequests')
        .values({ ...request, createdAt: portal.now() })
        .execute()
      return { ...about(home.colleague, home), serviceId, groupId, requestId }
    },
    shared,
    home,
    other,
    target(role, distance) {
      const [near, far] = role === 'otherUser' ? [other, home] : [home, other]
      if (distance === 'own') return about(role === 'holder' ? (holder ?? people.user) : people[role], near)
      if (distance === 'same') return about(near.colleague, near)
      if (distance === 'foreign') return about(far.colleague, far)
      return {
        accountId: newId(),
        email: 'missing@nowhere.example',
        organizationId: newId(),
        serviceId: newId(),
        samlConfigId: 2_000_000_000,
        invitationId: newId(),
        invitedEmail: 'missing@nowhere.example',
        requestId: newId(),
        groupId: newId(),
        roleId: newId(),
      }
    },
    othersMarks: [
      other.organizationId,
      other.serviceId,
      other.user.accountId,
      other.user.email,
      other.colleague.accountId,
      other.colleague.email,
      other.invitationId,
      other.invitedEmail,
      other.requestId,
      other.groupId,
      other.roleId,
      'Solberga',
    ],
  }
}

/** An organisation with its own SAML configuration and service, an admin, and two people. */
async function organization(portal: TestApp, name: string, number: number): Promise<Organization> {
  const domain = `${name.toLowerCase()}.example`
  const { organizationId } = await portal.organization(`${name} ${number}`)
  const samlConfigId = await portal.samlConfig(`https://sso-${number}.${domain}`)
  const { serviceId } = await portal.service(`${name} service ${number}`, `https://service-${number}.${domain}`)
  await portal.offer(organizationId, serviceId)
  const member = async (who: string, roleThere: 'regular' | 'organizationAdmin' = 'regular') => {
    const person = await portal.person({
      email: `${who}.${number}@${domain}`,
      firstName: `${name}-${who}`,
      lastName: `${name}sson`,
      phoneNumber: '+46701740605',
    })
    await portal.join(person.accountId, organizationId, roleThere)
    await portal.assign(person.accountId, organizationId, serviceId)
    return person
  }
  await member('admin', 'organizationAdmin')
  const invitation = await invited(portal, { organizationId, serviceId, email: `invited.${number}@${domain}`, name })
  const asker = await portal.person({ email: `asker.${number}@${domain}`, firstName: `${name}-asker` })
  await portal.join(asker.accountId, organizationId)
  const requestId = newId()
  await portal.system.db
    .insertInto('accessRequests')
    .values({ requestId, accountId: asker.accountId, organizationId, serviceId, createdAt: portal.now() })
    .execute()
  const roleId = newId()
  await portal.system.db
    .insertInto('organizationRoles')
    .values({ roleId, organizationId, name: `${name} readers`, permissions: ['readPeople'] })
    .execute()
  const [user, colleague] = [await member('user'), await member('colleague')]
  const groupId = await group(portal, { organizationId, serviceId, name }, [user, colleague])
  return { organizationId, samlConfigId, serviceId, ...invitation, requestId, groupId, roleId, user, colleague }
}

async function group(
  portal: TestApp,
  { organizationId, serviceId, name }: { organizationId: string; serviceId: string; name: string },
  people: readonly Person[],
): Promise<string> {
  const { db } = portal.system
  const groupId = newId()
  await db
    .insertInto('groups')
    .values({ groupId, organizationId, name: `${name} group` })
    .execute()
  await db.insertInto('groupServices').values({ groupId, organizationId, serviceId }).execute()
  const accountIds = people.map(({ accountId }) => accountId)
  await db.transaction().execute((trx) => putInGroup(trx, { groupId, organizationId, source: 'hand' }, accountIds))
  return groupId
}

interface Invited {
  organizationId: string
  serviceId: string
  email: string
  name: string
}

/** An invited person who has not answered, with a name and a service of the organisation. */
async function invited(portal: TestApp, { organizationId, serviceId, email, name }: Invited) {
  const { db } = portal.system
  const invitationId = newId()
  const expiresAt = new Date(portal.now().getTime() + 7 * 24 * 3600_000)
  const names = { firstName: `${name}-invited`, lastName: `${name}sson` }
  await db
    .insertInto('invitations')
    .values({ invitationId, organizationId, email, ...names, expiresAt })
    .execute()
  await db.insertInto('invitationServices').values({ invitationId, organizationId, serviceId }).execute()
  return { invitationId, invitedEmail: email }
}
