import type { Client } from './client.ts'
import { invitationsOf, newEmail } from './invitations.ts'
import type { Person } from './people.ts'
import type { TestApp } from './test-app.ts'

// As many digits for all: lists sort what was made later after what was made before.
let counter = 100_000
/** An unused name of a group. */
export const newGroupName = () => `Avdelning ${++counter}`

/** Common steps of tests about groups. */
export function groupsOf(portal: TestApp) {
  const invites = invitationsOf(portal)
  const { pool } = portal.system

  /** An organisation with a service of so many seats, the browser of its admin, and people without services. */
  async function newHome({ people: count = 1, seats = null as number | null } = {}) {
    const home = await invites.organizationWithAdmin()
    const { organizationId } = home
    const { serviceId, name: service } = await portal.service(`Journal ${newEmail()}`)
    await portal.offer(organizationId, serviceId, seats)
    const people: Person[] = []
    for (let number = 0; number < count; number++) {
      const person = await portal.person()
      await portal.join(person.accountId, organizationId)
      people.push(person)
    }
    return { ...home, serviceId, service, people, person: people[0] as Person, ...actionsOf(home.browser) }

    function actionsOf(browser: Client) {
      return {
        create: async (form: object = {}): Promise<string> =>
          (
            await browser.post('/api/groups', {
              ...{ organizationId, name: newGroupName(), services: [{ serviceId }] },
              ...form,
            })
          ).json().groupId,
        put: (groupId: string, those: readonly Pick<Person, 'accountId'>[] = people, days: object = {}) =>
          browser.post(`/api/groups/${groupId}/members`, { accountIds: those.map(idOf), ...days }),
        take: (groupId: string, those: readonly Pick<Person, 'accountId'>[] = people) =>
          browser.post(`/api/groups/${groupId}/members/remove`, { accountIds: those.map(idOf) }),
      }
    }
  }

  return {
    newHome,
    invites,
    /** The services that somebody has today in an organisation, by the view that gives access. */
    servicesOf: async ({ accountId }: Pick<Person, 'accountId'>, { organizationId }: { organizationId: string }) => {
      const { rows } = await pool.query(
        'select service_id from current_assignments where account_id = $1 and organization_id = $2',
        [accountId, organizationId],
      )
      return rows.map(({ service_id: id }) => id)
    },
    /** The changes of an organisation's newest event of a name. */
    changesOf: async (name: string, { organizationId }: { organizationId: string }) => {
      const { rows } = await pool.query(
        'select changes from audit_events where name = $1 and $2 = any (organization_ids) order by id desc limit 1',
        [name, organizationId],
      )
      return JSON.stringify(rows[0]?.changes)
    },
  }
}

const idOf = ({ accountId }: Pick<Person, 'accountId'>) => accountId
