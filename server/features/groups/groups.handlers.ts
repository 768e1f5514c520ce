import { type Group, type GroupForm, type GroupService, groups, maxGroups } from '#contract/groups/groups.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { can } from '#contract/permissions.ts'
import type { Issue } from '#contract/problem.ts'
import { lockGroup, takeFromGroup } from '#server/accounts/groups.repository.ts'
import { listOfferedRoles } from '#server/features/service-roles/service-roles.ts'
import { endWithdrawnAccess } from '#server/oidc/logout/withdrawn-access.ts'
import { inWholeValues } from '#server/platform/audit/long-lists.ts'
import type { Db } from '#server/platform/database/database.ts'
import { checkVersion, isUnchanged, mergedRows } from '#server/platform/database/versioned.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { auditRemoved, groupAudit, told } from './group-audit.ts'
import { listGroupsOf, listMembers, listPeople } from './group-people.repository.ts'
import { putByEmail, putPeople, takePeople } from './group-people.ts'
import * as repository from './groups.repository.ts'

export const groupsHandlers: Handlers<typeof groups> = {
  list: async ({ db, params, actor }) => {
    const { organizationId } = found(await repository.findOrganization(db, params.organizationId))
    if (can(actor, 'manageGroups', { organizationId })) return repository.listGroups(db, organizationId)
    const groupIds = actor.organizations.flatMap(({ scoped }) => scoped?.map(({ scopeId }) => scopeId) ?? [])
    return repository.listGroups(db, organizationId, groupIds)
  },
  names: async ({ db, params }) => {
    const { organizationId } = found(await repository.findOrganization(db, params.organizationId))
    return repository.listNames(db, organizationId)
  },
  read: (context) => findAllowed(context, 'administerGroup'),
  create: async (context) => createGroup(context, context.input),
  update: async (context) => {
    const { db, input, audit } = context
    const { groupId, version, services, ...fields } = input
    const before = await lockAllowed(context, groupId)
    checkVersion(before, version)
    const wanted = services && wholeServices(before.services, services)
    const change = { ...fields, ...(wanted && { services: inOrder(wanted) }) }
    if (isUnchanged<object>(before, given(change))) return before
    const rule = { ruleAttribute: before.ruleAttribute, ruleValue: before.ruleValue, ...given(fields) }
    checkRule(rule)
    if (wanted) await checkServices(db, before.organizationId, wanted, before.services)
    const people = await listMembers(db, groupId)
    const isNewRule = rule.ruleAttribute !== before.ruleAttribute || rule.ruleValue !== before.ruleValue
    const removed = isNewRule ? await listMembers(db, groupId, 'rule') : []
    if (removed.length > 0) await takeFromGroup(db, { ...before, source: 'rule' }, removed.map(idOf))
    await repository.updateGroup(db, groupId, fields)
    if (wanted) await repository.setGroupServices(db, before, wanted)
    if (people.length > 0) await endWithdrawnAccess(db, ...people.map(idOf))
    const after = found(await repository.findGroup(db, groupId))
    const [firstRemoved, ...moreRemoved] = inWholeValues(removed.map(emailOf))
    audit({
      name: 'updateGroup',
      ...groupAudit(after),
      before: await told(db, before),
      after: {
        ...(await told(db, after)),
        ...(change.services && { people: emailsOf(people) }),
        peopleRemoved: firstRemoved,
        // They decide who gets what is given from now on.
        ...(change.services && { groupAdmins: emailsOf(await repository.listGroupAdmins(db, groupId)) }),
      },
    })
    auditRemoved(audit, after, moreRemoved)
    return after
  },
  whatEnds: async (context) => repository.readWhatEnds(context.db, await findAllowed(context)),
  remove: async (context) => {
    const { db, params, audit } = context
    const before = await lockAllowed(context, params.id)
    const people = await listMembers(db, before.groupId)
    const [firstPeople, ...morePeople] = inWholeValues(people.map(emailOf))
    const entry = {
      ...groupAudit(before),
      before: {
        ...(await told(db, before)),
        people: firstPeople,
        groupAdmins: emailsOf(await repository.listGroupAdmins(db, before.groupId)),
      },
    }
    await repository.deleteGroup(db, before)
    if (people.length > 0) await endWithdrawnAccess(db, ...people.map(idOf))
    audit({ name: 'deleteGroup', ...entry })
    auditRemoved(audit, before, morePeople)
    return undefined
  },
  members: async (context) => {
    const { groupId } = await findAllowed(context, 'administerGroup')
    const { itemsPerPage } = context.config
    return { itemsPerPage, ...(await listPeople(context.db, groupId, context.query, itemsPerPage)) }
  },
  put: async (context) => putPeople(context, await lockAllowed(context, context.params.id)),
  putByEmail: async (context) => putByEmail(context, await lockAllowed(context, context.params.id, 'administerGroup')),
  take: async (context) => takePeople(context, await lockAllowed(context, context.params.id, 'administerGroup')),
  ofPerson: async ({ db, params }) => {
    found(await repository.findOrganization(db, params.organizationId))
    return listGroupsOf(db, params)
  },
}

/** Creates a group. The caller has checked that the actor may. */
export async function createGroup(
  { db, audit }: Pick<RequestContext, 'db' | 'audit'>,
  { organizationId, services: sent, ...fields }: GroupForm,
): Promise<Group> {
  // One group at a time, so that the thousandth is the last.
  const organization = found(await repository.lockOrganization(db, organizationId))
  checkRule(fields)
  if ((await repository.countGroups(db, organizationId)) >= maxGroups) throw new Problem(409, 'tooManyGroups')
  const services = wholeServices([], sent)
  await checkServices(db, organizationId, services)
  const groupId = await repository.insertGroup(db, organizationId, fields)
  await repository.setGroupServices(db, { groupId, organizationId }, services)
  const after = found(await repository.findGroup(db, groupId))
  audit({ name: 'createGroup', ...groupAudit(after), after: await told(db, after, organization.name) })
  return after
}

type Allowing = Pick<RequestContext, 'db' | 'allow'>

type ToDo = 'manageGroups' | 'administerGroup'

async function findAllowed(
  { db, params, allow }: Allowing & { params: { id: string } },
  toDo: ToDo = 'manageGroups',
): Promise<Group> {
  const group = found(await repository.findGroup(db, params.id))
  allow(toDo, group)
  return group
}

async function lockAllowed({ db, allow }: Allowing, groupId: string, toDo: ToDo = 'manageGroups'): Promise<Group> {
  allow(toDo, found(await lockGroup(db, groupId)))
  return found(await repository.findGroup(db, groupId))
}

const emailOf = ({ email }: { email: string }) => email
const emailsOf = (people: readonly { email: string }[]) => people.map(emailOf).join(', ')
const idOf = ({ accountId }: { accountId: string }) => accountId
const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>

const fresh = { roleIds: [], validFrom: null, validUntil: null }

const wholeServices = (present: readonly GroupService[], sent: GroupForm['services']): GroupService[] =>
  mergedRows(present, sent, { key: 'serviceId', fresh }).map((one) => ({ ...one, roleIds: [...one.roleIds].sort() }))

const inOrder = <One extends { serviceId: string }>(services: readonly One[]) =>
  [...services].sort((one, other) => (one.serviceId < other.serviceId ? -1 : 1))

/** @throws Problem 422 for half a rule */
function checkRule({
  ruleAttribute,
  ruleValue,
}: {
  ruleAttribute?: string | null | undefined
  ruleValue?: string | null | undefined
}) {
  if (!ruleAttribute === !ruleValue) return
  throw refused([{ path: ruleAttribute ? 'ruleValue' : 'ruleAttribute', message: 'required' satisfies MessageKey }])
}

/** @throws Problem 422 for a service that the organisation does not have, or a role that is not one of the service */
async function checkServices(
  db: Db,
  organizationId: string,
  services: readonly GroupService[],
  present: readonly GroupService[] = [],
): Promise<void> {
  const offered = new Set((await repository.lockOffered(db, organizationId)).map(({ serviceId }) => serviceId))
  const roles = new Set(
    (await listOfferedRoles(db, organizationId)).map(({ serviceId, roleId }) => `${serviceId} ${roleId}`),
  )
  // A role that was removed from the service since does not stand in the way of other changes.
  const had = new Set(present.flatMap(({ serviceId, roleIds }) => roleIds.map((roleId) => `${serviceId} ${roleId}`)))
  const issues = services.flatMap(({ serviceId, roleIds }, index): Issue[] =>
    offered.has(serviceId)
      ? roleIds.flatMap((roleId, place) =>
          roles.has(`${serviceId} ${roleId}`) || had.has(`${serviceId} ${roleId}`)
            ? []
            : [{ path: `services.${index}.roleIds.${place}`, message: 'notFound' satisfies MessageKey }],
        )
      : [{ path: `services.${index}.serviceId`, message: 'serviceNotInOrganization' satisfies MessageKey }],
  )
  if (issues.length > 0) throw refused(issues)
}

const refused = (issues: Issue[]) => new Problem(422, 'validationFailed', { issues })

export const createCallGroups: CreateCallGroups = () => [callGroup(groups, groupsHandlers)]
