import { type Actor, administersService, mayAll, mayAtHome, type PersonTarget } from '#contract/actor.ts'
import { rolePermissions, scopedNeeds, serviceAdminNeeds } from './role-permissions.ts'

/**
 * True if the actor may do everything that this person may. Nobody changes how somebody with more rights signs in, or takes
 * such a person out of an organisation. People hold what they hold themselves. A role in the portal reads alone: it does not count.
 *
 * @param organizationId only what the person may there
 * @param signsIn whether the actor could then sign in as the person: ordinary services count, too
 */
export const holdsNoMore = (
  actor: Actor,
  person: Pick<PersonTarget, 'accountId' | 'organizations' | 'services'>,
  { organizationId, signsIn = false }: { organizationId?: string; signsIn?: boolean } = {},
): boolean => {
  const isMeant = (one: { organizationId: string }) => !organizationId || one.organizationId === organizationId
  return (
    actor.accountId === person.accountId ||
    (person.organizations
      .filter(isMeant)
      .every((place) =>
        rolePermissions.every(
          (permission) =>
            !mayAtHome({ organizations: [place] }, permission) || mayAtHome(actor, permission, place.organizationId),
        ),
      ) &&
      person.organizations
        .filter(isMeant)
        .every(({ organizationId, scoped }) =>
          (scoped ?? []).every(({ role }) => mayAll(actor, scopedNeeds[role], organizationId)),
        ) &&
      person.services
        .filter(isMeant)
        .every((one) =>
          one.userRole === 'serviceAdmin'
            ? mayAll(actor, serviceAdminNeeds, one.organizationId)
            : !signsIn || mayAtHome(actor, 'assignServices', one.organizationId) || administersService(actor, one),
        ))
  )
}
