import { type OrganizationForm, organizations } from '#contract/organizations/organizations.ts'
import { can } from '#contract/permissions.ts'
import { readHolders } from '#server/accounts/grants.repository.ts'
import { endPeopleByRules } from '#server/accounts/groups.repository.ts'
import { endWithdrawnAccess } from '#server/oidc/logout/withdrawn-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import { checkVersion } from '#server/platform/database/versioned.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { beginsToAskForSaml, countLockedOut, makeGuests } from './locked-out.repository.ts'
import { formAfter, isSame, type Stored } from './organization-change.ts'
import {
  listOrganizationServices,
  listOwnServices,
  listServicesOf,
  setOrganizationServices,
} from './organization-services.repository.ts'
import {
  findAnyMember,
  findOrganization,
  findOrganizationForUpdate,
  insertOrganization,
  listAllOrganizations,
  listOrganizations,
  removeOrganization,
  updateOrganization,
} from './organizations.repository.ts'

export const organizationsHandlers: Handlers<typeof organizations> = {
  list: async ({ db, query, config }) => {
    const { items, ...page } = await listOrganizations(db, query, config.itemsPerPage)
    const services = await listServicesOf(
      db,
      items.map((one) => one.organizationId),
    )
    return { ...page, items: items.map((one) => ({ ...one, services: services.get(one.organizationId) ?? [] })) }
  },
  plainList: async ({ db, query }) => listAllOrganizations(db, query),
  read: async ({ db, params, actor }) => {
    const organizationId = params.id
    const { name, ...settings } = found(await findOrganization(db, organizationId))
    if (!can(actor, 'readPeople', { organizationId }))
      return {
        organizationId,
        name,
        services: await listOwnServices(db, { organizationId, accountId: actor.accountId }),
      }
    return { name, ...settings, services: await listOrganizationServices(db, organizationId) }
  },
  services: async ({ db, params, actor }) => {
    const organizationId = params.id
    found(await findOrganization(db, organizationId))
    return can(actor, 'readPeople', { organizationId })
      ? listOrganizationServices(db, organizationId)
      : listOwnServices(db, { organizationId, accountId: actor.accountId })
  },
  create: async ({ db, input, audit }) => {
    const { organizationId } = await insertOrganization(db, input)
    const after = await withServices(db, organizationId, input, false)
    audit({
      name: 'createOrganization',
      target: labelled(after),
      after: forAudit(after),
      organizationIds: [organizationId],
    })
    return after
  },
  update: async ({ db, input, query, audit, requireFreshProof }) => {
    const { organizationId, version, ...change } = input
    const settings = found(await findOrganizationForUpdate(db, organizationId))
    checkVersion(settings, version)
    const before = { ...settings, services: await listOrganizationServices(db, organizationId) }
    const form = formAfter(before, change)
    requireFreshProof(signInFields.some((name) => form[name] !== before[name]))
    if (isSame(before, form)) return before
    const madeGuests = await admitOrRefuse(db, organizationId, { before, form, choice: query.lockedOut })
    const isOtherSignIn = form.loginMethod !== before.loginMethod || form.samlConfigId !== before.samlConfigId
    await updateOrganization(db, organizationId, form)
    const byRules = isOtherSignIn ? await endPeopleByRules(db, organizationId) : []
    // Nobody is responsible for a service that the organisation has no more.
    const { services: kept = before.services } = form
    const gone = new Set(before.services.map(({ serviceId }) => serviceId))
    for (const { serviceId } of kept) gone.delete(serviceId)
    const { serviceOwners } = await readHolders(db, { organizationId, serviceIds: [...gone] })
    const after = await withServices(db, organizationId, form, query.force === 'true')
    audit({
      name: 'updateOrganization',
      target: labelled(after),
      before: { ...forAudit(before), serviceOwners },
      after: {
        ...forAudit(after),
        ...(madeGuests > 0 && { madeGuests }),
        peopleRemoved: byRules.map(({ email, groups }) => `${email} (${groups})`).join(', '),
      },
      organizationIds: [organizationId],
    })
    return after
  },
  lockedOut: async ({ db, params, query }) => {
    found(await findOrganization(db, params.id))
    const { samlConfigId, requireLoginMethod } = query
    const asked = { samlConfigId, requireLoginMethod: requireLoginMethod === 'true' }
    return { count: await countLockedOut(db, params.id, asked) }
  },
  remove: async ({ db, params, query, audit }) => {
    const organizationId = params.id
    const settings = found(await findOrganizationForUpdate(db, organizationId))
    if (query.force !== 'true' && (await findAnyMember(db, organizationId)))
      throw new Problem(409, 'organizationNotEmpty')
    const before = { ...settings, services: await listOrganizationServices(db, organizationId) }
    const holders = await readHolders(db, { organizationId })
    await removeOrganization(db, organizationId)
    await endWithdrawnAccess(db)
    audit({
      name: 'deleteOrganization',
      target: labelled(before),
      before: { ...forAudit(before), ...holders },
      organizationIds: [organizationId],
    })
    return undefined
  },
}

/** How the people of an organisation sign in. */
const signInFields = ['loginMethod', 'samlConfigId', 'requireLoginMethod'] as const

/** @returns how many became guests. @throws Problem 409 where people would be locked out, and nothing is said about them */
async function admitOrRefuse(
  db: Db,
  organizationId: string,
  { before, form, choice }: { before: Stored; form: OrganizationForm; choice: 'guests' | 'stay' | undefined },
): Promise<number> {
  if (choice === 'stay' || !beginsToAskForSaml(before, form)) return 0
  if (choice === 'guests') return makeGuests(db, organizationId, form)
  if ((await countLockedOut(db, organizationId, form)) > 0) throw new Problem(409, 'peopleLockedOut')
  return 0
}

/** Sets the services of the form and returns the whole organisation. */
async function withServices(db: Db, organizationId: string, form: OrganizationForm, force: boolean) {
  if (form.services) {
    await setOrganizationServices(db, { organizationId, services: form.services, force })
    if (force) await endWithdrawnAccess(db)
  }
  const settings = found(await findOrganization(db, organizationId))
  return { ...settings, services: await listOrganizationServices(db, organizationId) }
}

const labelled = (organization: { organizationId: string; name: string }) => ({
  id: organization.organizationId,
  label: organization.name,
})

/** Services as readable text for the audit log: name and seat limit, without the seats in use. */
function forAudit({
  services,
  ...settings
}: {
  services: readonly { name: string; maxNumberOfUsers?: number | undefined; atFirstSignIn?: boolean | undefined }[]
}) {
  const seats = services.map(({ name, maxNumberOfUsers }) =>
    maxNumberOfUsers ? `${name} (${maxNumberOfUsers})` : name,
  )
  const first = services.filter(({ atFirstSignIn }) => atFirstSignIn).map(({ name }) => name)
  return { ...settings, services: seats.join(', '), servicesAtFirstSignIn: first.join(', ') }
}

export const createCallGroups: CreateCallGroups = () => [callGroup(organizations, organizationsHandlers)]
