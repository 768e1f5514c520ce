import { type Actor, actsForOperator } from '#contract/actor.ts'
import { isMaskedSsn } from '#contract/fields/ssn.ts'
import { can } from '#contract/permissions.ts'
import { isLocal, type UserChange } from '#contract/users/user-forms.ts'
import type { User, users } from '#contract/users/users.ts'
import { readRolesText } from '#server/accounts/grants.repository.ts'
import { setPortalRole } from '#server/accounts/portal-role.repository.ts'
import { listAssignments, listMemberships } from '#server/accounts/roles.repository.ts'
import { lockUser, type StoredUser } from '#server/accounts/stored-user.repository.ts'
import { takingNumber } from '#server/accounts/taken-number.repository.ts'
import { eventsOfChange } from '#server/accounts/user-audit.ts'
import { revokeResetLinks } from '#server/credentials/reset-links.ts'
import { mailMessage } from '#server/mails/mails.ts'
import { endAllSessions } from '#server/oidc/end-sessions.ts'
import { endWithdrawnAccess } from '#server/oidc/logout/withdrawn-access.ts'
import type { Db } from '#server/platform/database/database.ts'
import { checkVersion } from '#server/platform/database/versioned.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import { ssnOfPeople } from '#server/platform/limits/ssn-of-people.ts'
import { found } from '#server/platform/problem.ts'
import { ssnColumns, unsealSsn } from '#server/platform/secrets/ssn.ts'
import { changesAdmins } from './admin-roles.ts'
import { refuseLongerRoles } from './last-admin.ts'
import { sameRoles, setAssignments, setMemberships } from './memberships.repository.ts'
import { notifyOwner } from './notify-owner.ts'
import { sameTerms } from './terms.ts'
import { changesManaged, type PlannedChange, planChange, refuseOwnAccount } from './user-change.ts'
import { changeUser, raiseMembershipVersion } from './users.repository.ts'
import { targetOf, toVisibleUser } from './visible-user.ts'
import { givesAccess, vouchFor } from './vouching/unproven-account.ts'

/** Changes a person. A new login method, or the loss of super user, ends all their sessions immediately. */
export async function updateUser(context: RequestContext<typeof users.update>): Promise<User> {
  const { input, keys, actor, now, transact, db, limits } = context
  const setsNumber = typeof input.ssn === 'string' && !isMaskedSsn(input.ssn)
  if (setsNumber && !can(actor, 'manageUsers'))
    await limits.take(db, [{ name: 'ssnOfOthers', key: actor.accountId }, ...ssnOfPeople(actor)], now)
  const after = await transact(async (db, audit) => {
    const before = found(await lockUser(db, input.accountId))
    const target = targetOf(before)
    context.allow('readUser', target)
    context.require('updateUser', target)
    checkVersion(before, input.version)
    if (changesManaged(actor, before, input)) context.require('manageUsers')
    const oldSsn = before.ssnSealed && (await unsealSsn(keys, before.accountId, before.ssnSealed))
    const plan = planChange(before, oldSsn, input)
    refuseOwnAccount(actor, before, plan)
    if (opensAccount(before, plan)) await refuseOfLongerAdmin(db, actor, before)
    context.requireFreshProof(opensAccount(before, plan) || changesAdmins(before, input))
    if (!plan.differs) return before
    const vouched = givesAccess(before, input) ? await vouchFor(db, before, input.unprovenReason) : {}
    const ended = await readRolesText(db, before.accountId, leftBy(before, input))
    await write(context, db, before, plan)
    await writeRoles(db, before, input)
    await notifyOwner(context, db, before, changedOf(plan))
    await notifyNewMember(context, db, before, input)
    // An unused reset link could set a password if the login method is changed back.
    if (plan.loginMethodDiffers) await revokeResetLinks(db, before.accountId, now)
    const stepsDown = before.superUser && !plan.fields.superUser
    if (plan.loginMethodDiffers || stepsDown) await endAllSessions(db, before.accountId)
    const after = found(await lockUser(db, before.accountId))
    for (const event of await eventsOfChange(keys, before, after, vouched, ended)) audit(event)
    return after
  })
  return toVisibleUser(keys, actor, after)
}

/** The organisations that the person leaves by a change. */
const leftBy = ({ organizations }: StoredUser, { organizations: wanted }: UserChange) =>
  wanted
    ? organizations.flatMap(({ organizationId }) =>
        wanted.some((one) => one.organizationId === organizationId) ? [] : [organizationId],
      )
    : []

/** The admin who decides how somebody signs in, or by which number, can sign in as them. */
const opensAccount = (before: StoredUser, plan: PlannedChange) =>
  plan.loginMethodDiffers || plan.fields.samlConfigId !== before.samlConfigId || plan.ssnDiffers || plan.phoneDiffers

/** What lets somebody in gives their roles: nobody changes it of one who holds them for longer than they do. */
async function refuseOfLongerAdmin(
  db: Db,
  actor: Actor,
  { accountId, organizations, services }: StoredUser,
): Promise<void> {
  for (const membership of organizations) {
    const own = services.filter((one) => one.organizationId === membership.organizationId)
    await refuseLongerRoles(db, actor, { accountId, before: undefined, after: { membership, services: own } })
  }
}

/** Notifies a person who was added to an organisation without an invitation. */
async function notifyNewMember(
  { outbox, actor, session, http }: RequestContext<typeof users.update>,
  db: Db,
  { accountId, email, firstName, preferredLanguage, organizations }: StoredUser,
  input: UserChange,
): Promise<void> {
  if (!input.organizations) return
  const present = new Set(organizations.map((one) => one.organizationId))
  const added = (await listMemberships(db, accountId)).filter((one) => !present.has(one.organizationId))
  const { user } = session
  const inviterName = [user.firstName, user.lastName].filter(Boolean).join(' ') || user.email
  for (const { name, organizationId } of added)
    await outbox.mail(
      db,
      mailMessage({
        template: 'membership-added',
        to: { address: email, accountId },
        language: preferredLanguage ?? user.preferredLanguage ?? detectLanguage(http.request),
        values: {
          firstName,
          organizationName: name,
          inviterName: actsForOperator(actor, organizationId) ? null : inviterName,
          message: null,
        },
      }),
    )
}

const changedOf = ({ ssnDiffers, phoneDiffers, portalRoleDiffers }: PlannedChange) => [
  ...(ssnDiffers ? ['ssn' as const] : []),
  ...(phoneDiffers ? ['phoneNumber' as const] : []),
  ...(portalRoleDiffers ? ['portalRole' as const] : []),
]

async function write(
  { keys, actor, now }: RequestContext<typeof users.update>,
  db: Db,
  { accountId }: StoredUser,
  plan: PlannedChange,
): Promise<void> {
  const { fields: all, ssnDiffers, ssn } = plan
  const { portalRole, portalRoleFrom, portalRoleUntil, ...fields } = all
  const isOperator = can(actor, 'manageUsers')
  const newSsn = ssnDiffers ? ssnColumns(keys, { accountId, ssn }) : undefined
  const newPhone = plan.phoneDiffers ? { phoneNumber: fields.phoneNumber } : undefined
  await changeUser(db, accountId, {
    ...fields,
    hasPortalRole: portalRole !== null,
    // Whoever also has the password would bring the second factor.
    ...(newSsn ? { ...newSsn, ssnClaim: 'admin', ssnEnteredAt: now } : {}),
    ...(newPhone ? { phoneClaim: 'admin', phoneEnteredAt: now } : {}),
    ...(newSsn || newPhone ? takingNumber({ ...newSsn, ...newPhone }) : {}),
    // The admin could sign in with the new number, so the owner's address proof is no longer valid.
    ...(ssnDiffers && !isOperator ? { emailProof: null, emailProvenAt: null } : {}),
    ...(isLocal(fields.loginMethod) ? {} : { passwordHash: null, passwordMustChange: false, signInLockedAt: null }),
    // A super user cannot be passive.
    ...(fields.superUser ? { passiveAt: null } : {}),
  })
  if (plan.portalRoleDiffers)
    await setPortalRole(db, accountId, { portalRole, portalRoleFrom, portalRoleUntil }, actor.accountId)
}

/** The admins of an organisation must not learn from a version that something changed in another one. */
async function raiseChangedMemberships(db: Db, { accountId, organizations, services }: StoredUser): Promise<void> {
  const now = await listAssignments(db, accountId)
  for (const membership of await listMemberships(db, accountId)) {
    const { organizationId } = membership
    const isThere = (one: { organizationId: string }) => one.organizationId === organizationId
    const before = organizations.find(isThere)
    const same =
      before !== undefined && sameTerms(before, membership) && sameRoles(services.filter(isThere), now.filter(isThere))
    if (before && !same) await raiseMembershipVersion(db, accountId, organizationId)
  }
}

/** Only an actor with `manageUsers` gets here with changed lists, and that actor sees all of them. */
async function writeRoles(db: Db, before: StoredUser, { organizations, services }: UserChange): Promise<void> {
  const { accountId } = before
  if (organizations) await setMemberships(db, before, organizations)
  if (services) {
    const kept = organizations && new Set(organizations.map((one) => one.organizationId))
    const present = kept ? before.services.filter((one) => kept.has(one.organizationId)) : before.services
    await setAssignments(db, { accountId, present, wanted: services })
  }
  if (!organizations && !services) return
  await endWithdrawnAccess(db, accountId)
  await raiseChangedMemberships(db, before)
}
