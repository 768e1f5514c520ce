import { found } from '#server/platform/problem.ts'
import type { PastEvent } from './add-demo-history.ts'
import type { DemoAccount } from './add-demo-people.ts'
import { demoOrganizations } from './demo-data.ts'
import { dayMs, storyDays } from './demo-load.ts'
import { signInsOf } from './demo-story-sign-ins.ts'
import type { DemoWorld } from './demo-world.ts'

const who = ({ accountId, email, organizationIds }: DemoAccount) => ({ id: accountId, label: email, organizationIds })

/** What happened in the demo's organisations during the last 60 days, the same at every first start. */
export function demoStory(world: DemoWorld, now: Date): PastEvent[] {
  const { accounts, organizationIds, invitations, samlConfig } = world
  const superUser = found(accounts.find((account) => account.superUser))
  const daysAgo = (days: number, hours = 0) => new Date(now.getTime() - days * dayMs + hours * 3_600_000)
  const founded: PastEvent[] = demoOrganizations.map(({ name, organizationNumber, loginMethod }, index) => {
    const id = found(organizationIds.get(name))
    return {
      at: daysAgo(storyDays, 0.1 + index / 10),
      entry: {
        name: 'createOrganization',
        actor: who(superUser),
        target: { id, label: name },
        organizationIds: [id],
        after: { name, organizationNumber, loginMethod, maxPassiveDays: 180 },
      },
    }
  })
  const invited: PastEvent[] = invitations.map(
    ({ invitationId, email, organization, organizationId, inviter, ...one }) => ({
      at: one.sentAt,
      entry: {
        name: 'inviteUser',
        actor: who(inviter),
        target: { id: invitationId, label: email },
        organizationIds: [organizationId],
        after: {
          organization: organization.name,
          userRole: 'regular',
          services: (one.person.services ?? []).join(', '),
        },
      },
    }),
  )
  const connected: PastEvent = {
    at: daysAgo(storyDays, 0.05),
    entry: {
      name: 'createSamlConfig',
      actor: who(superUser),
      target: { id: String(samlConfig.id), label: samlConfig.name },
      after: { name: samlConfig.name, domain: samlConfig.domain },
    },
  }
  return [
    connected,
    ...founded,
    ...invited,
    ...accounts.flatMap((account, index) => [
      ...joining(account, { index, daysAgo }),
      ...signInsOf(account, { index, now, since: joinedDaysAgo(index) }),
    ]),
    ...changes(world, { superUser, daysAgo }),
  ]
}

type DaysAgo = (days: number, hours?: number) => Date

/** Every sixth came during the story, everybody else before it. */
const joinedDaysAgo = (index: number) => (index % 6 === 5 ? 4 + ((index * 7) % 52) : storyDays)

function joining(account: DemoAccount, { index, daysAgo }: { index: number; daysAgo: DaysAgo }): PastEvent[] {
  const days = joinedDaysAgo(index)
  const { person, organizationIds } = account
  if (days === storyDays || person.passive || (person.lastSeen ?? 0) >= days) return []
  const organization = demoOrganizations.find(({ people }) => people.includes(person))
  return [
    {
      at: daysAgo(days, -1),
      entry: {
        name: 'acceptInvite',
        actor: who(account),
        target: who(account),
        organizationIds,
        after: { organization: organization?.name, services: (person.services ?? []).join(', ') },
      },
    },
  ]
}

/** Some of what admins do. */
function changes(
  { accounts, organizationIds }: DemoWorld,
  { superUser, daysAgo }: { superUser: DemoAccount; daysAgo: DaysAgo },
): PastEvent[] {
  const bjorko = { id: found(organizationIds.get('Björkö Omsorg AB')), label: 'Björkö Omsorg AB' }
  const shortened: PastEvent = {
    at: daysAgo(58, 2),
    entry: {
      name: 'updateOrganization',
      actor: who(superUser),
      target: bjorko,
      organizationIds: [bjorko.id],
      before: { maxPassiveDays: 180 },
      after: { maxPassiveDays: 90 },
    },
  }
  const byAdmins = accounts
    .filter(({ person }, index) => index % 11 === 3 && person.role === undefined && !person.passive)
    .map((account, index): PastEvent => {
      const admin = found(
        accounts.find(
          ({ person, organizationIds: [own] }) =>
            person.role === 'organizationAdmin' && own === account.organizationIds[0],
        ),
      )
      const services = account.person.services ?? []
      return {
        at: daysAgo((index * 5) % 55, 1 + (index % 6)),
        entry: {
          name: 'updateUserServices',
          actor: who(admin),
          target: { id: account.accountId, label: account.email },
          organizationIds: account.organizationIds.slice(0, 1),
          before: { services: services.slice(1).join(', ') },
          after: { services: services.join(', ') },
        },
      }
    })
    .filter(({ at, entry }) => at < daysAgo(0) && entry.after?.services !== entry.before?.services)
  const warned = accounts
    .filter(({ person }) => person.passive && (person.lastSeen ?? 0) < 90 + storyDays)
    .map(
      (account): PastEvent => ({
        at: daysAgo((account.person.lastSeen ?? 90) - 89),
        entry: {
          name: 'notifyInactiveUser',
          target: { id: account.accountId, label: account.email },
          organizationIds: account.organizationIds,
          after: { becomesPassiveAt: daysAgo((account.person.lastSeen ?? 90) - 90) },
        },
      }),
    )
  return [shortened, ...byAdmins, ...warned]
}
