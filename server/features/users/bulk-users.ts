import type { invitations } from '#contract/invitations/invitations.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { bulkUsers } from '#contract/users/bulk-users.ts'
import type { users } from '#contract/users/users.ts'
import { resendInvitationTo } from '#server/features/invitations/invitations.ts'
import { findHoldersAmong, listOfferedRoles, setRoles } from '#server/features/service-roles/service-roles.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { extendAccess } from './extend-access.ts'
import { type ChosenPerson, findChosen, forEachPerson } from './for-each-person.ts'
import { updateLastActive } from './last-active.ts'
import { leaveOrganization } from './leave-organization.ts'
import { giveService, setServices } from './set-services.ts'
import { revokeService } from './take-back-services.ts'
import { findOffer, findOrganization } from './users.repository.ts'

type AnyPlace = RequestContext<typeof bulkUsers.markActive> | RequestContext<typeof bulkUsers.resendInvitations>
type WithService = RequestContext<typeof bulkUsers.assignService> | RequestContext<typeof bulkUsers.revokeService>
type WithRole = RequestContext<typeof bulkUsers.assignRole> | RequestContext<typeof bulkUsers.revokeRole>
type Audit = (entry: AuditEntry) => void

/** Actions on a selection of people. Each person is changed by the use case of a single one. */
export const bulkUsersHandlers: Handlers<typeof bulkUsers> = {
  resendInvitations: async (context) =>
    forEachPerson(context, {
      organizationId: await findPlace(context),
      skip: (person) => {
        if (!person.pending) return 'bulkHasAccepted'
        return placeOf(context, person) ? undefined : 'bulkNoOrganization'
      },
      change: async (person) => {
        const input = { email: person.email, organizationId: placeOf(context, person) ?? '' }
        await resendInvitationTo({ ...context, params: undefined, input } as RequestContext<typeof invitations.resend>)
      },
    }),
  markActive: async (context) =>
    forEachPerson(context, {
      organizationId: await findPlace(context),
      skip: (person) => (person.invited ? 'bulkInvited' : undefined),
      change: inTransaction(context, (db, audit, { accountId }) => {
        const params = { id: accountId, value: 'now' as const }
        const request = { ...context, db, audit, params, input: undefined }
        return updateLastActive(request as RequestContext<typeof users.setLastActive>)
      }),
    }),
  assignService: async (context) => {
    const { params, input } = context
    const offer = await findOfferIn(context)
    // What an invitation promises is given again as a whole.
    await requireProof(
      context,
      (person) => person.invited && !hasService(person, context) && isServiceAdmin(person, context),
    )
    const free = offer.maxNumberOfUsers === null ? Infinity : offer.maxNumberOfUsers - offer.seatsUsed
    let taken = 0
    return forEachPerson(context, {
      organizationId: params.id,
      skip: (person) => (hasService(person, context) ? 'bulkHasService' : undefined),
      // Seats are taken by members; the database has the last word.
      refuse: (person) => (!person.invited && ++taken > free ? 'noSeatsLeft' : undefined),
      change: inTransaction(context, (db, audit, person) => {
        const one = { organizationId: params.id, serviceId: input.serviceId, userRole: 'regular' as const }
        if (!person.invited) return giveService({ ...context, db, audit }, { accountId: person.accountId, ...one })
        return setPromised(context, { db, audit, person, services: [...servicesIn(person, params.id), one] })
      }),
    })
  },
  revokeService: async (context) => {
    const { params, input } = context
    await findOfferIn(context)
    await requireProof(context, (person) => hasService(person, context) && isServiceAdmin(person, context))
    return forEachPerson(context, {
      organizationId: params.id,
      skip: (person) => (hasService(person, context) ? undefined : 'bulkLacksService'),
      change: inTransaction(context, (db, audit, person) => {
        const { accountId, invited } = person
        const rest = servicesIn(person, params.id).filter((one) => one.serviceId !== input.serviceId)
        if (invited) return setPromised(context, { db, audit, person, services: rest })
        const target = { accountId, organizationId: params.id, serviceId: input.serviceId }
        const request = { ...context, db, audit, params: target, input: undefined }
        return revokeService(request as RequestContext<typeof users.revokeService>)
      }),
    })
  },
  extend: extendAccess,
  assignRole: async (context) => changeRole(context, { gives: true }),
  revokeRole: async (context) => changeRole(context, { gives: false }),
  remove: async (context) =>
    forEachPerson(context, {
      organizationId: await findPlace(context),
      skip: ({ accountId }) => (accountId === context.actor.accountId ? 'bulkOwnAccount' : undefined),
      change: inTransaction(context, (db, audit, { accountId }) => {
        const params = { userId: accountId, organizationId: context.params.id }
        return leaveOrganization({ ...context, db, audit, params, query: {}, input: undefined } as RequestContext<
          typeof users.leave
        >)
      }),
    }),
}

/** Gives people who have a service one of its roles, or takes it from them. */
async function changeRole(context: WithRole, { gives }: { gives: boolean }) {
  const { db, params, input } = context
  const { organizationId } = found(await findOrganization(db, params.id))
  const role = (await listOfferedRoles(db, organizationId)).find((one) => one.roleId === input.roleId)
  const message: MessageKey = 'notFound'
  if (!role) throw new Problem(422, 'validationFailed', { issues: [{ path: 'roleId', message }] })
  const { serviceId, roleId } = role
  const holders = await findHoldersAmong(db, { organizationId, roleId }, input.accountIds)
  let free = role.maxPeople === null ? Infinity : role.maxPeople - role.people
  return forEachPerson(context, {
    organizationId,
    skip: ({ accountId, services }) => {
      if (holders.has(accountId) === gives) return gives ? 'bulkHasRole' : 'bulkLacksRole'
      const hasService = services.some((one) => one.organizationId === organizationId && one.serviceId === serviceId)
      return hasService ? undefined : 'bulkLacksService'
    },
    // Members count; the database has the last word.
    refuse: (person) => (gives && !person.invited && --free < 0 ? 'serviceRoleFull' : undefined),
    change: inTransaction(context, (trx, audit, { accountId }) =>
      setRoles({ ...context, db: trx, audit }, { userId: accountId, organizationId, serviceId }, (present) =>
        gives ? [...new Set([...present, roleId])] : present.filter((one) => one !== roleId),
      ),
    ),
  })
}

type Transacting = Pick<RequestContext, 'transact'>
const inTransaction =
  ({ transact }: Transacting, change: (db: Db, audit: Audit, person: ChosenPerson) => Promise<unknown>) =>
  (person: ChosenPerson) =>
    transact((db, audit) => change(db, audit, person))

/** @returns undefined for no particular organisation. @throws Problem 404 */
async function findPlace({ db, params }: Pick<AnyPlace, 'db' | 'params'>): Promise<string | undefined> {
  if (params.id === '-') return undefined
  return found(await findOrganization(db, params.id)).organizationId
}

const placeOf = ({ params }: Pick<AnyPlace, 'params'>, { organizations }: ChosenPerson) =>
  params.id === '-' ? organizations[0]?.organizationId : params.id

/** @throws Problem 404 for the organisation, 422 for a service that it does not have */
async function findOfferIn({ db, params, input }: WithService) {
  found(await findOrganization(db, params.id))
  const offer = await findOffer(db, { organizationId: params.id, serviceId: input.serviceId })
  const message: MessageKey = 'serviceNotInOrganization'
  if (!offer) throw new Problem(422, 'validationFailed', { issues: [{ path: 'serviceId', message }] })
  return offer
}

const servicesIn = ({ services }: ChosenPerson, organizationId: string) =>
  services.filter((one) => one.organizationId === organizationId)
const hasService = (person: ChosenPerson, { params, input }: WithService) =>
  servicesIn(person, params.id).some((one) => one.serviceId === input.serviceId)

const isServiceAdmin = (person: ChosenPerson, { params }: WithService) =>
  servicesIn(person, params.id).some(({ userRole }) => userRole === 'serviceAdmin')

/** Asked for once and before anything is changed, where the use case of one of these people would ask for it. */
async function requireProof(context: WithService, isDangerous: (person: ChosenPerson) => boolean): Promise<void> {
  const { db, params, input } = context
  let asks = false
  // One after the other: a request has one connection at a time.
  for (const accountId of input.dryRun ? [] : input.accountIds) {
    const person = await findChosen(db, accountId, params.id)
    asks ||= person !== undefined && isDangerous(person)
  }
  context.requireFreshProof(asks)
}

interface Promised {
  db: Db
  audit: Audit
  person: ChosenPerson
  services: readonly { serviceId: string; userRole: 'regular' | 'serviceAdmin' }[]
}

/** Changes what an invitation promises, unless somebody else has changed it since. */
function setPromised(context: WithService, { db, audit, person, services }: Promised) {
  const params = { userId: person.accountId, organizationId: context.params.id }
  const input = {
    version: person.version,
    services: services.map(({ serviceId, userRole }) => ({ serviceId, userRole })),
  }
  return setServices({ ...context, db, audit, params, query: {}, input } as RequestContext<typeof users.setServices>)
}
