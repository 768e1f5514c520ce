import type { Actor } from '#contract/actor.ts'
import { isMaskedSsn } from '#contract/fields/ssn.ts'
import { normalizedSsn } from '#contract/fields/ssn-rules.ts'
import { isCompany, needsNumber } from '#contract/login-methods.ts'
import { can } from '#contract/permissions.ts'
import type { Issue } from '#contract/problem.ts'
import { hasNoIdleDays, personForm, portalRoleIsOrdered, type UserChange } from '#contract/users/user-forms.ts'
import type { StoredUser } from '#server/accounts/stored-user.repository.ts'
import { isUnchanged, merged, pickFields } from '#server/platform/database/versioned.ts'
import { Problem } from '#server/platform/problem.ts'
import { maskSsn } from '#server/platform/secrets/ssn.ts'
import { sameRoles } from './memberships.repository.ts'
import { visibleRoles } from './visible-user.ts'

/** What an admin may change of a person who is theirs alone. Every other field of the form is for `manageUsers`. */
const { firstName: _, lastName: __, ssn: ___, phoneNumber: ____, ...managed } = personForm.shape
const managedFields = Object.keys(managed) as (keyof typeof managed)[]

/** Says whether the form changes what only an actor with `manageUsers` may change. */
export function changesManaged(actor: Actor, before: StoredUser, input: UserChange): boolean {
  const seen = visibleRoles(actor, before)
  return (
    managedFields.some((name) => input[name] !== undefined && input[name] !== before[name]) ||
    (input.organizations !== undefined && !sameRoles(seen.organizations, input.organizations)) ||
    (input.services !== undefined && !sameRoles(seen.services, input.services))
  )
}

/** The result of a change, and which parts differ. */
export interface PlannedChange {
  fields: Pick<StoredUser, Exclude<keyof typeof personForm.shape, 'ssn'>>
  ssn: string | null
  ssnDiffers: boolean
  loginMethodDiffers: boolean
  phoneDiffers: boolean
  portalRoleDiffers: boolean
  /** Anything differs. */
  differs: boolean
}

const refuse = (issue: Issue) => new Problem(422, 'validationFailed', { issues: [issue] })
/**
 * Compares a form with the stored user. Fields that the form leaves out stay unchanged.
 *
 * @throws Problem 422 for an invalid combination
 */
export function planChange(before: StoredUser, oldSsn: string | null, input: UserChange): PlannedChange {
  const { email, ssn: sentSsn, organizations, services, ...more } = input
  const { accountId: _, version: __, unprovenReason: ___, ...change } = more
  if (email !== undefined && email !== before.email) throw refuse({ path: 'email', message: 'emailNotEditable' })
  const form = merged(pickFields(personForm, before), change)
  // The days of a role that is taken go with it.
  if (!hasNoIdleDays({ ...change, portalRole: form.portalRole }))
    throw refuse({ path: 'portalRole', message: 'required' })
  if (!portalRoleIsOrdered(form)) throw refuse({ path: 'portalRoleUntil', message: 'endsBeforeStart' })
  const { loginMethod } = form
  // An unused reference would prevent the configuration from being deleted.
  const fields = {
    ...form,
    samlConfigId: isCompany(loginMethod) ? form.samlConfigId : null,
    ...(form.portalRole === null && { portalRoleFrom: null, portalRoleUntil: null }),
  }
  const ssn = ssnAfter(sentSsn, oldSsn)
  const ssnDiffers = ssn !== oldSsn
  const loginMethodDiffers = loginMethod !== before.loginMethod
  if ((ssnDiffers || loginMethodDiffers) && needsNumber(loginMethod) && ssn === null)
    throw refuse({ path: 'ssn', message: 'requiredWithBankId' })
  if (isCompany(loginMethod) && fields.samlConfigId === null)
    throw refuse({ path: 'samlConfigId', message: 'samlConfigRequired' })
  const phoneDiffers = fields.phoneNumber !== before.phoneNumber
  const portalRoleDiffers = (['portalRole', 'portalRoleFrom', 'portalRoleUntil'] as const).some(
    (name) => fields[name] !== before[name],
  )
  const rolesDiffer =
    (organizations !== undefined && !sameRoles(before.organizations, organizations)) ||
    (services !== undefined && !sameRoles(before.services, services))
  const differs = ssnDiffers || rolesDiffer || !isUnchanged(before, fields)
  return { fields, ssn, ssnDiffers, loginMethodDiffers, phoneDiffers, portalRoleDiffers, differs }
}

/** The masked personal number that an admin saw and sends back means "unchanged". */
function ssnAfter(sent: string | null | undefined, present: string | null): string | null {
  if (sent === undefined) return present
  if (sent === null) return null
  if (present !== null && sent === maskSsn(present)) return present
  if (isMaskedSsn(sent)) throw refuse({ path: 'ssn', message: 'ssnIncorrectFormat' })
  return normalizedSsn(sent)
}

/**
 * Admins cannot change their own role here, nor the fields for which the profile asks for the password.
 *
 * @throws Problem 403 `ownAccount`
 */
export function refuseOwnAccount(actor: Actor, before: StoredUser, plan: PlannedChange): void {
  if (actor.accountId !== before.accountId) return
  const stepsDown = can(actor, 'manageUsers') && !plan.fields.superUser
  if (stepsDown || plan.ssnDiffers || plan.phoneDiffers) throw new Problem(403, 'ownAccount')
}
