import type { users } from '#contract/users.ts'
import { endAllSessions } from '#server/oidc/end-sessions.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import { found, Problem } from '#server/platform/problem.ts'
import type { Handlers, RequestContext } from '#server/platform/request-context.ts'
import { removeMembership } from './belongings.repository.ts'
import { createUser } from './create-user.ts'
import { handOut, setServices, takeBack } from './set-services.ts'
import { updateUser } from './update-user.ts'
import { forAudit, labelled, organizationIdsOf, organizationsText, servicesText } from './user-audit.ts'
import { belongingsInSight, targetOf, userInSight } from './user-in-sight.ts'
import { everybody, organizationPeople, servicePeople } from './user-lists.ts'
import { findUser, lockUser, raiseVersion, removeUser, setLastActive } from './users.repository.ts'

/** People, as super users and admins see and change them. */
export function usersHandlers(provider: MountedProvider): Handlers<typeof users> {
  return {
    list: everybody,
    ofOrganization: organizationPeople,
    ofService: servicePeople,
    read: readUser,
    services: async (context) => {
      const user = found(await findUser(context.db, context.params.id))
      context.allow('readUser', targetOf(user))
      return belongingsInSight(context.actor, user).services
    },
    create: createUser,
    update: (context) => updateUser(context, provider),
    remove: (context) => eraseUser(context, provider),
    setLastActive: updateLastActive,
    setServices,
    leave: leaveOrganization,
    handOut,
    takeBack,
  }
}

async function readUser(context: RequestContext<typeof users.read>) {
  const { db, params, keys, actor } = context
  const user = found(await findUser(db, params.userId))
  context.allow('readUser', targetOf(user))
  const seen = await userInSight(keys, actor, user)
  const isThere = (wanted: string, ids: string[]) => wanted === '-' || ids.includes(wanted)
  const services = seen.services.filter((one) => isThere(params.organizationId, [one.organizationId]))
  // A person is looked at as somebody of this organisation, with this service: then they must be.
  const inOrganization = isThere(
    params.organizationId,
    seen.organizations.map((one) => one.organizationId),
  )
  const hasService = isThere(
    params.serviceId,
    services.map((one) => one.serviceId),
  )
  return found(inOrganization && hasService ? seen : undefined)
}

async function eraseUser(context: RequestContext<typeof users.remove>, provider: MountedProvider): Promise<undefined> {
  const { params, actor, keys, transact } = context
  if (params.id === actor.accountId) throw new Problem(403, 'ownAccount')
  const ended = await transact(async (db, audit) => {
    const before = found(await lockUser(db, params.id))
    const services = await endAllSessions(db, before.accountId)
    await removeUser(db, before.accountId)
    audit({
      name: 'deleteUser',
      target: labelled(before),
      before: await forAudit(keys, before),
      organizationIds: organizationIdsOf(before),
    })
    return services
  })
  provider.tellServices(ended)
  return undefined
}

async function updateLastActive(context: RequestContext<typeof users.setLastActive>): Promise<undefined> {
  const { db, params, now, audit } = context
  const before = found(await lockUser(db, params.id))
  const target = targetOf(before)
  context.allow('readUser', target)
  context.require('administerUser', target)
  const lastActive = params.value === 'now' ? now : new Date(params.value)
  if (lastActive > now)
    throw new Problem(422, 'validationFailed', { issues: [{ path: 'value', message: 'notInFuture' }] })
  await setLastActive(db, before.accountId, lastActive)
  audit({
    name: 'updateUser',
    target: labelled(before),
    before: { lastActive: before.lastActive, passive: before.passiveAt !== null },
    after: { lastActive, passive: false },
    organizationIds: organizationIdsOf(before),
  })
  return undefined
}

async function leaveOrganization({ db, params, audit }: RequestContext<typeof users.leave>): Promise<undefined> {
  const { userId: accountId, organizationId } = params
  const user = found(await lockUser(db, accountId))
  const membership = found(user.organizations.find((one) => one.organizationId === organizationId))
  await removeMembership(db, { accountId, organizationId })
  await raiseVersion(db, accountId)
  audit({
    name: 'removeUser',
    target: labelled(user),
    before: {
      organizations: organizationsText([membership]),
      services: servicesText(user.services.filter((one) => one.organizationId === organizationId)),
    },
    organizationIds: [organizationId],
  })
  return undefined
}
