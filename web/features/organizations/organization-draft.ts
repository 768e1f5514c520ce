import * as z from 'zod/mini'
import { defaultMethod } from '#contract/login-methods.ts'
import { maxNumberOfUsers } from '#contract/organizations/organization-services.ts'
import {
  type Organization,
  type OrganizationForm,
  organizationForm,
  samlNeedsConfig,
} from '#contract/organizations/organizations.ts'
import { draftFrom } from '#web/lib/forms/draft.ts'

const { services: _services, ...settings } = organizationForm.shape

/** The values of the form: the settings, and every offered service by id, chosen or not. */
export const organizationDraft = z
  .object({
    ...settings,
    services: z.record(
      z.string(),
      z.object({ chosen: z.boolean(), seats: maxNumberOfUsers, atFirstSignIn: z.boolean() }),
    ),
  })
  .check(samlNeedsConfig)
export type OrganizationDraft = z.input<typeof organizationDraft>
export type OrganizationValues = z.infer<typeof organizationDraft>

const newSettings: Omit<OrganizationDraft, 'services'> = {
  name: '',
  organizationNumber: '',
  loginMethod: defaultMethod,
  samlConfigId: null,
  requireLoginMethod: false,
  createAtSignIn: false,
  maxPassiveDays: 180,
  guestDays: 180,
  senderName: '',
  replyTo: '',
}

/** An organisation with all the services that can be chosen for it. */
export interface Choosable extends Organization {
  version: number
  offered: readonly { serviceId: string; name: string }[]
}

export const draftOf = ({ offered = [], services = [], ...settings }: Partial<Choosable>): OrganizationDraft => ({
  ...draftFrom(newSettings, settings),
  services: Object.fromEntries(
    offered.map(({ serviceId }) => {
      const own = services.find((service) => service.serviceId === serviceId)
      return [
        serviceId,
        { chosen: Boolean(own), seats: own?.maxNumberOfUsers ?? null, atFirstSignIn: own?.atFirstSignIn ?? false },
      ]
    }),
  ),
})

/** The values for the API: only the chosen services. */
export const formOf = ({ services, ...form }: OrganizationValues): OrganizationForm => ({
  ...form,
  services: Object.entries(services)
    .filter(([, { chosen }]) => chosen)
    .map(([serviceId, { seats, atFirstSignIn }]) => ({ serviceId, maxNumberOfUsers: seats, atFirstSignIn })),
})
