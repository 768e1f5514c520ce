import * as z from 'zod/mini'
import { id } from '#contract/fields/fields.ts'
import { knownPeriod } from '#contract/fields/period.ts'
import { route } from '#contract/route.ts'
import { roleNames } from '#contract/service-roles/service-roles.ts'

/** A `NamedRole` with its days. */
const ownRole = z.object({ role: z.string(), name: z.nullable(z.string()), ...knownPeriod })
export type OwnRole = z.infer<typeof ownRole>

/** A service in which the person has roles, or which ends. */
const ownRolesService = z.object({
  serviceId: id,
  name: z.string(),
  /** The last day, whatever ends it; null without one, or where it ends with the membership. */
  endsOn: z.nullable(z.string()),
  roles: z.array(z.object({ roleId: id, ...roleNames, validUntil: knownPeriod.validUntil })),
})

const ownPlace = z.object({
  organizationId: id,
  name: z.string(),
  /** The last day of the membership. */
  endsOn: z.nullable(z.string()),
  /** That of the membership first. */
  roles: z.array(ownRole),
  services: z.array(ownRolesService),
})

export type OwnPlace = z.infer<typeof ownPlace>

/** The roles of who asks. */
export const ownRoles = {
  read: route('GET /api/profile/roles', {
    summary:
      "The caller's roles with their days: in the portal, and in each organisation that this session reaches, with today's roles in its services",
    access: 'signedIn',
    answer: z.object({ portal: z.array(ownRole), organizations: z.array(ownPlace) }),
  }),
}
