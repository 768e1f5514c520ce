import { isCompany } from '#contract/login-methods.ts'
import { type OrganizationForm, organizationForm } from '#contract/organizations/organizations.ts'
import { type Change, isUnchanged, merged, mergedRows, pickFields } from '#server/platform/database/versioned.ts'
import { Problem } from '#server/platform/problem.ts'
import type { listOrganizationServices } from './organization-services.repository.ts'
import { columnsOf, type findOrganization } from './organizations.repository.ts'

export type Stored = NonNullable<Awaited<ReturnType<typeof findOrganization>>> & {
  services: Awaited<ReturnType<typeof listOrganizationServices>>
}

type Row = NonNullable<OrganizationForm['services']>[number]

/** The form as it is after the change. @throws Problem 422 where organisation sign-in would have no configuration */
export function formAfter(before: Stored, { services, ...change }: Change<OrganizationForm>): OrganizationForm {
  const { services: _, ...settings } = pickFields(organizationForm, before)
  const form = merged(settings, change)
  if (isCompany(form.loginMethod) && form.samlConfigId === null)
    throw new Problem(422, 'validationFailed', { issues: [{ path: 'samlConfigId', message: 'samlConfigRequired' }] })
  // Seats that are left out are no limit.
  const kept = before.services.map(({ serviceId, atFirstSignIn }) => ({
    serviceId,
    atFirstSignIn,
    maxNumberOfUsers: null,
  }))
  return { ...form, ...(services && { services: mergedRows<Row>(kept, services, { key: 'serviceId' }) }) }
}

type Terms = Partial<
  Record<'maxNumberOfUsers', number | null | undefined> & Record<'atFirstSignIn', boolean | undefined>
>

/** True if the form changes nothing. Services are unchanged when the form leaves them out. */
export function isSame(before: Stored, form: OrganizationForm): boolean {
  const { services = before.services } = form
  const terms = ({ maxNumberOfUsers, atFirstSignIn }: Terms) => `${maxNumberOfUsers ?? ''} ${atFirstSignIn ?? false}`
  const present = new Map(before.services.map((one) => [one.serviceId, terms(one)]))
  return (
    isUnchanged<object>(before, columnsOf(form)) &&
    services.length === present.size &&
    services.every((one) => present.get(one.serviceId) === terms(one))
  )
}
