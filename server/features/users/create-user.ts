import { isCompany } from '#contract/login-methods.ts'
import { isLocal } from '#contract/users/user-forms.ts'
import type { User, users } from '#contract/users/users.ts'
import { setPortalRole } from '#server/accounts/portal-role.repository.ts'
import { lockUser } from '#server/accounts/stored-user.repository.ts'
import { apartFromOperator, forAudit, labelled, organizationIdsOf } from '#server/accounts/user-audit.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { newId } from '#server/platform/ids.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { rejectWeakPassword } from '#server/platform/secrets/password-policy.ts'
import { ssnColumns } from '#server/platform/secrets/ssn.ts'
import { adminRolesOf } from './admin-roles.ts'
import { setAssignments, setMemberships } from './memberships.repository.ts'
import { notifyOwner } from './notify-owner.ts'
import { insertUser, listOrganizationNames } from './users.repository.ts'
import { toVisibleUser } from './visible-user.ts'

/** Adds a person. A password that an admin chose must be changed at the first sign-in (security 26). */
export async function createUser(context: RequestContext<typeof users.create>): Promise<User> {
  const { input, keys, actor, passwords, db: pool, transact } = context
  // The first membership is what a super user opens the account for.
  context.requireFreshProof(adminRolesOf(input).length > 0)
  const reaches = input.superUser || input.portalRole !== null || input.organizations.length > 1
  if (reaches && input.unprovenReason === undefined) throw new Problem(409, 'addressNotProven')
  const vouched = reaches ? { unprovenReason: input.unprovenReason } : {}
  let passwordHash: string | null = null
  if (input.password !== undefined) {
    const organizations = await listOrganizationNames(
      pool,
      input.organizations.map((one) => one.organizationId),
    )
    await rejectWeakPassword(context, input.password, { ...input, organizations }, 'password')
    passwordHash = await passwords.hash(input.password)
  }
  const user = await transact(async (db, audit) => {
    const accountId = newId()
    const { ssn, password: _, confirmNewPassword: __, unprovenReason: ___, organizations, services, ...person } = input
    const { portalRole, portalRoleFrom, portalRoleUntil, ...fields } = person
    await insertUser(db, {
      accountId,
      ...fields,
      hasPortalRole: portalRole !== null,
      samlConfigId: isCompany(input.loginMethod) ? input.samlConfigId : null,
      ...(reaches ? { emailProof: 'operator' as const } : {}),
      passwordHash,
      passwordMustChange: isLocal(input.loginMethod),
      ...ssnColumns(keys, { accountId, ssn }),
    })
    await setPortalRole(db, accountId, { portalRole, portalRoleFrom, portalRoleUntil }, actor.accountId)
    await setMemberships(db, found(await lockUser(db, accountId)), organizations, { isNew: true })
    await setAssignments(db, { accountId, present: [], wanted: services })
    const after = found(await lockUser(db, accountId))
    const created = {
      name: 'createUser' as const,
      target: labelled(after),
      after: await forAudit(keys, after),
      organizationIds: organizationIdsOf(after),
    }
    for (const event of apartFromOperator(created, vouched)) audit(event)
    if (after.portalRole) await notifyOwner(context, db, after, ['portalRole'])
    return after
  })
  return toVisibleUser(keys, actor, user)
}
