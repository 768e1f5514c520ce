import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import { inWholeValues } from '#server/platform/audit/long-lists.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Given, Services } from './group-access.repository.ts'
import * as repository from './group-access.repository.ts'
import * as roles from './group-roles.repository.ts'

/**
 * Gives people of an organisation what their groups give, in the order in which they came, and takes back what no source gives
 * any more (decision 0103). Without a free seat, and where a role's rules forbid it, it waits. Call it after each change of who
 * is in a group, or of what one gives.
 *
 * @param accountIds whom the change is about; undefined: everybody
 */
export async function applyGroups(db: Db, services: Services, accountIds?: readonly string[]): Promise<void> {
  if (services.serviceIds.length === 0) return
  await repository.lockSeats(db, services)
  const freed = [
    ...(await repository.takeBackServices(db, services, accountIds)),
    ...(await roles.takeBackRoles(db, services, accountIds)),
  ]
  if (freed.length > 0) await giveToAll(db, { ...services, serviceIds: freed })
  await give(db, services, accountIds)
}

/** The same for people who have come into some groups, or left them. */
export const applyToMembers = async (
  db: Db,
  { groupIds, organizationId }: { groupIds: readonly string[]; organizationId: string },
  accountIds: readonly string[],
): Promise<void> => {
  if (accountIds.length === 0 || groupIds.length === 0) return
  const serviceIds = await repository.listServicesOfGroups(db, groupIds)
  await applyGroups(db, { organizationId, serviceIds }, accountIds)
}

/** The same for a member whose last day is later: what groups give has waited while the membership had ended. */
export async function applyToMember(db: Db, member: { accountId: string; organizationId: string }): Promise<void> {
  const serviceIds = await repository.listGranted(db, member)
  await applyGroups(db, { organizationId: member.organizationId, serviceIds }, [member.accountId])
}

/**
 * Gives what has waited for a seat or a role, with an event for each service. Call it after each change by which one may have
 * become free.
 */
export async function giveFreeSeats(db: Db, { organizationId, serviceIds }: Services): Promise<void> {
  if (serviceIds.length === 0) return
  const services = {
    organizationId,
    serviceIds: await repository.onlyByGroups(db, { organizationId, serviceIds }),
  }
  if (services.serviceIds.length === 0) return
  await repository.lockSeats(db, services)
  await giveToAll(db, services)
}

/** The same in every organisation, for the roles of a service by other rules. The caller has locked the handing out of it. */
export async function giveByNewRules(db: Db, serviceId: string): Promise<void> {
  for (const organizationId of await repository.listOrganizationsThatWait(db, serviceId))
    await giveFreeSeats(db, { organizationId, serviceIds: [serviceId] })
}

/** Ends a membership, or all of an account, and gives others the seats and roles that get free by it. */
export async function freeingSeats(
  db: Db,
  { accountId, organizationId }: { accountId: string; organizationId?: string },
  end: () => Promise<unknown>,
): Promise<void> {
  const held = await repository.lockHeldByGroups(db, accountId, organizationId)
  await end()
  for (const services of held) await giveFreeSeats(db, services)
}

/** Ends what a person has of a service for themselves, with its roles. What groups give stays. */
export async function takeBackService(
  db: Db,
  assignment: { accountId: string; organizationId: string; serviceId: string },
): Promise<void> {
  const { accountId, organizationId, serviceId } = assignment
  const services = { organizationId, serviceIds: [serviceId] }
  if (await repository.leaveServiceToGroups(db, assignment)) {
    await roles.leaveRolesToGroups(db, assignment)
    return applyGroups(db, services, [accountId])
  }
  await repository.deleteAssignment(db, assignment)
  await giveFreeSeats(db, services)
}

async function give(db: Db, services: Services, accountIds?: readonly string[]): Promise<Given[]> {
  const given = await repository.giveServices(db, services, accountIds)
  for (const role of await roles.listRolesOfGroups(db, services))
    given.push(...(await roles.giveRole(db, services.organizationId, role, accountIds)))
  return given
}

/** Nobody acts: who has left a seat has an event of their own. */
async function giveToAll(db: Db, services: Services): Promise<void> {
  const given = await give(db, services)
  if (given.length === 0) return
  const { organizationId } = services
  for (const { serviceId, name, organization, people, now } of await repository.describeGiven(
    db,
    organizationId,
    given,
  ))
    for (const peopleAdded of inWholeValues(people))
      await writeAuditEvent(
        db,
        {
          name: 'giveFreeSeats',
          actor: null,
          target: { id: serviceId, label: name },
          organizationIds: [organizationId],
          after: { organization, peopleAdded },
        },
        { requestId: 'free seats', now },
      )
}
