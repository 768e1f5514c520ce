import type { Actor } from '#contract/actor.ts'
import { can } from '#contract/permissions.ts'
import type { Issue } from '#contract/problem.ts'
import { isMaskedSsn } from '#contract/ssn.ts'
import type { UserChange } from '#contract/user-forms.ts'
import { isUnchanged } from '#server/platform/database/versioned.ts'
import { Problem } from '#server/platform/problem.ts'
import { maskSsn, normalizeSsn } from '#server/platform/secrets/ssn.ts'
import { sameRoles } from './memberships.repository.ts'
import type { StoredUser } from './users.repository.ts'
import { visibleRoles } from './visible-user.ts'

/** A field that the form sends and that differs, even where its value would not be stored. */
const managed = ['preferredLanguage', 'loginMethod', 'samlConfigId', 'superUser', 'maxPassiveDays'] as const

/** Says whether the form changes what only an actor with `manageUsers` may change. */
export function changesManaged(actor: Actor, before: StoredUser, input: UserChange): boolean {
  const seen = visibleRoles(actor, before)
  return (
    managed.some((name) => input[name] !== undefined && input[name] !== before[name]) ||
    (input.organizations !== undefined && !sameRoles(seen.organizations, input.organizations)) ||
    (input.services !== undefined && !sameRoles(seen.services, input.services))
  )
}

/** The result of a change, and which parts differ. */
export interface PlannedChange {
  fields: Pick<
    StoredUser,
    | 'firstName'
    | 'lastName'
    | 'phoneNumber'
    | 'preferredLanguage'
    | 'loginMethod'
    | 'samlConfigId'
    | 'superUser'
    | 'maxPassiveDays'
  >
  ssn: string | null
  ssnDiffers: boolean
  loginMethodDiffers: boolean
  phoneDiffers: boolean
  /** Anything differs. */
  differs: boolean
}

const refuse = (issue: Issue) => new Problem(422, 'validationFailed', { issues: [issue] })
const or = <Value>(sent: Value | undefined, present: Value): Value => (sent === undefined ? present : sent)

/**
 * Compares a form with the stored user. Fields that the form leaves out stay unchanged.
 *
 * @throws Problem 422 for an invalid combination
 */
export function planChange(before: StoredUser, oldSsn: string | null, input: UserChange): PlannedChange {
  if (input.email !== undefined && input.email !== before.email)
    throw refuse({ path: 'email', message: 'emailNotEditable' })
  const loginMethod = or(input.loginMethod, before.loginMethod)
  const fields = {
    firstName: or(input.firstName, before.firstName),
    lastName: or(input.lastName, before.lastName),
    phoneNumber: or(input.phoneNumber, before.phoneNumber),
    preferredLanguage: or(input.preferredLanguage, before.preferredLanguage),
    loginMethod,
    // An unused reference would prevent the configuration from being deleted.
    samlConfigId: loginMethod === 'saml' ? or(input.samlConfigId, before.samlConfigId) : null,
    superUser: or(input.superUser, before.superUser),
    maxPassiveDays: or(input.maxPassiveDays, before.maxPassiveDays),
  }
  const ssn = ssnAfter(input.ssn, oldSsn)
  const ssnDiffers = ssn !== oldSsn
  const loginMethodDiffers = loginMethod !== before.loginMethod
  if ((ssnDiffers || loginMethodDiffers) && loginMethod === 'bankid' && ssn === null)
    throw refuse({ path: 'ssn', message: 'requiredWithBankId' })
  if (loginMethod === 'saml' && fields.samlConfigId === null)
    throw refuse({ path: 'samlConfigId', message: 'samlConfigRequired' })
  const phoneDiffers = fields.phoneNumber !== before.phoneNumber
  const rolesDiffer =
    (input.organizations !== undefined && !sameRoles(before.organizations, input.organizations)) ||
    (input.services !== undefined && !sameRoles(before.services, input.services))
  const differs = ssnDiffers || rolesDiffer || !isUnchanged(before, fields)
  return { fields, ssn, ssnDiffers, loginMethodDiffers, phoneDiffers, differs }
}

/** The masked personal number that an admin saw and sends back means "unchanged". */
function ssnAfter(sent: string | null | undefined, present: string | null): string | null {
  if (sent === undefined) return present
  if (sent === null) return null
  if (present !== null && sent === maskSsn(present)) return present
  if (isMaskedSsn(sent)) throw refuse({ path: 'ssn', message: 'ssnIncorrectFormat' })
  return normalizeSsn(sent)
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
