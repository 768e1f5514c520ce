import { type Actor, can } from '#contract/permissions.ts'
import type { Issue } from '#contract/problem.ts'
import { isMaskedSsn } from '#contract/ssn.ts'
import type { UserChange } from '#contract/user-forms.ts'
import { Problem } from '#server/platform/problem.ts'
import { canonicalSsn, maskSsn } from '#server/platform/ssn.ts'
import { sameRoles } from './belongings.repository.ts'
import { belongingsInSight } from './user-in-sight.ts'
import type { StoredUser } from './users.repository.ts'

/** What a change leaves behind, and which parts of it are new. */
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
  /** Something differs that only somebody who manages users may change. */
  managedDiffers: boolean
}

const refuse = (issue: Issue) => new Problem(422, 'validationFailed', { issues: [issue] })
const or = <Value>(sent: Value | undefined, present: Value): Value => (sent === undefined ? present : sent)

/**
 * What a form asks for, beside what is there. What is left out stays.
 *
 * @throws Problem 422 where the two do not go together
 */
export function planChange(actor: Actor, before: StoredUser, oldSsn: string | null, input: UserChange): PlannedChange {
  if (input.email !== undefined && input.email !== before.email)
    throw refuse({ path: 'email', message: 'emailNotEditable' })
  const loginMethod = or(input.loginMethod, before.loginMethod)
  const fields = {
    firstName: or(input.firstName, before.firstName),
    lastName: or(input.lastName, before.lastName),
    phoneNumber: or(input.phoneNumber, before.phoneNumber),
    preferredLanguage: or(input.preferredLanguage, before.preferredLanguage),
    loginMethod,
    // A configuration that is not used would keep it from being deleted.
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
  const seen = belongingsInSight(actor, before)
  const managed = ['preferredLanguage', 'samlConfigId', 'superUser', 'maxPassiveDays'] as const
  const managedDiffers =
    loginMethodDiffers ||
    managed.some((name) => fields[name] !== before[name]) ||
    (input.organizations !== undefined && !sameRoles(seen.organizations, input.organizations)) ||
    (input.services !== undefined && !sameRoles(seen.services, input.services))
  const phoneDiffers = fields.phoneNumber !== before.phoneNumber
  return { fields, ssn, ssnDiffers, loginMethodDiffers, phoneDiffers, managedDiffers }
}

/** The masked form that an admin was shown and sends back stands for "unchanged". */
function ssnAfter(sent: string | null | undefined, present: string | null): string | null {
  if (sent === undefined) return present
  if (sent === null) return null
  if (present !== null && sent === maskSsn(present)) return present
  if (isMaskedSsn(sent)) throw refuse({ path: 'ssn', message: 'ssnIncorrectFormat' })
  return canonicalSsn(sent)
}

/**
 * What nobody changes of the own account here: the role, and what the profile asks the password for.
 *
 * @throws Problem 403 `ownAccount`
 */
export function refuseOwnAccount(actor: Actor, before: StoredUser, plan: PlannedChange): void {
  if (actor.accountId !== before.accountId) return
  const stepsDown = can(actor, 'manageUsers') && !plan.fields.superUser
  if (stepsDown || plan.ssnDiffers || plan.phoneDiffers) throw new Problem(403, 'ownAccount')
}
