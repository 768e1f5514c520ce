import { newId } from '#server/platform/ids.ts'
import type { Person } from './people.ts'
import type { TestApp } from './test-app.ts'

/** Everybody who can ask, besides nobody at all. */
export const roles = ['user', 'serviceAdmin', 'organizationAdmin', 'superUser', 'passiveUser', 'otherUser'] as const
export type Role = (typeof roles)[number]

/** How far what is asked for is from the one who asks. */
export const distances = ['own', 'same', 'foreign', 'missing'] as const
export type Distance = (typeof distances)[number]

/** What a request can be about: everything that an address or a body may name. */
export interface Target {
  accountId: string
  email: string
  organizationId: string
  serviceId: string
  samlConfigId: number
}

interface Organization {
  organizationId: string
  samlConfigId: number
  serviceId: string
  /** A regular person with the service. */
  user: Person
  colleague: Person
}

/** Two organisations full of data, and everybody who can ask. */
export interface World {
  people: Record<Role, Person>
  /** A person of both organisations. */
  shared: Person
  home: Organization
  other: Organization
  target(role: Role, distance: Distance): Target
  /** Texts that only the other organisation's data holds: ids, names, addresses, numbers. */
  othersMarks: string[]
}

let worlds = 0

/** Builds it; each call gives a new one beside those that are there. */
export async function buildWorld(portal: TestApp): Promise<World> {
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
  const about = (person: Person, { organizationId, serviceId, samlConfigId }: Organization): Target => ({
    ...person,
    organizationId,
    serviceId,
    samlConfigId,
  })
  return {
    people,
    shared,
    home,
    other,
    target(role, distance) {
      const [near, far] = role === 'otherUser' ? [other, home] : [home, other]
      if (distance === 'own') return about(people[role], near)
      if (distance === 'same') return about(near.colleague, near)
      if (distance === 'foreign') return about(far.colleague, far)
      return {
        accountId: newId(),
        email: 'missing@nowhere.example',
        organizationId: newId(),
        serviceId: newId(),
        samlConfigId: 2_000_000_000,
      }
    },
    othersMarks: [
      other.organizationId,
      other.serviceId,
      other.user.accountId,
      other.user.email,
      other.colleague.accountId,
      other.colleague.email,
      'Solberga',
    ],
  }
}

/** An organisation with a sign-in configuration and a service of its own, an admin, and two people. */
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
  return { organizationId, samlConfigId, serviceId, user: await member('user'), colleague: await member('colleague') }
}
