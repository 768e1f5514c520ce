import { type Actor, mayAll } from '#contract/actor.ts'
import { serviceAdminNeeds } from '#contract/organization-roles/role-permissions.ts'

export const permissions = {
  /** Who is responsible for a service in an organisation. Nobody who is so names another one. */
  nameServiceOwners: (actor: Actor, target?: { organizationId: string }) =>
    actor.superUser || mayAll(actor, serviceAdminNeeds, target?.organizationId),
}
