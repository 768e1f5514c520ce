import * as z from 'zod/mini'
import {
  maxNumberOfUsers,
  type Organization,
  type OrganizationForm,
  organizationForm,
  samlNeedsConfig,
} from '#contract/organizations.ts'

const { name, organizationNumber, loginMethod, samlConfigId, maxPassiveDays } = organizationForm.shape

/** What the fields hold: the settings, and every service by its id, whether the organisation has it or not. */
export const organizationDraft = z
  .object({
    name,
    organizationNumber,
    loginMethod,
    samlConfigId,
    maxPassiveDays,
    services: z.record(z.string(), z.object({ chosen: z.boolean(), seats: maxNumberOfUsers })),
  })
  .check(samlNeedsConfig)
export type OrganizationDraft = z.input<typeof organizationDraft>
export type OrganizationValues = z.infer<typeof organizationDraft>

export const newOrganization: OrganizationDraft = {
  name: '',
  organizationNumber: '',
  loginMethod: 'local',
  samlConfigId: null,
  maxPassiveDays: 180,
  services: {},
}

/** An organisation together with all there is to choose from; what it does not have is not chosen. */
export interface Choosable extends Organization {
  version: number
  offered: readonly { serviceId: string; name: string }[]
}

export const draftOf = (organization: Choosable): OrganizationDraft => ({
  name: organization.name,
  organizationNumber: organization.organizationNumber ?? '',
  loginMethod: organization.loginMethod ?? 'local',
  samlConfigId: organization.samlConfigId ?? null,
  maxPassiveDays: organization.maxPassiveDays ?? 180,
  services: Object.fromEntries(
    organization.offered.map(({ serviceId }) => {
      const own = organization.services.find((service) => service.serviceId === serviceId)
      return [serviceId, { chosen: Boolean(own), seats: own?.maxNumberOfUsers ?? null }]
    }),
  ),
})

/** What the API takes: the chosen services alone. */
export const formOf = ({ services, ...form }: OrganizationValues): OrganizationForm => ({
  ...form,
  services: Object.entries(services)
    .filter(([, { chosen }]) => chosen)
    .map(([serviceId, { seats }]) => ({ serviceId, maxNumberOfUsers: seats })),
})
