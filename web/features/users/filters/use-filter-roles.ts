import { builtInRoles } from '#contract/organization-roles/role-permissions.ts'
import { useRoles, useRoleWords } from '#web/features/organization-roles/organization-roles.tsx'
import { useFilterTexts } from './filter-texts.ts'
import type { FilteredList } from './use-filter-services.ts'

/** Roles of who works for the operator, which no organisation sees. */
const ofOperator = new Set(['superUser', 'portalAuditor', 'portalReader'])

/** The roles to filter by, with what they are called: those that somebody has in the organisation, or all built-in ones. */
export function useFilterRoles(of: FilteredList): readonly (readonly [value: string, label: string])[] {
  const { roles } = useFilterTexts()
  const { nameOf } = useRoleWords()
  const given = useRoles(of?.organizationId).filter(({ people }) => people > 0)
  const more = of ? given : Object.keys(builtInRoles).map((role) => ({ role, name: null }))
  return [
    ...Object.entries(roles).filter(([role]) => !of || !ofOperator.has(role)),
    ...more.map((one) => [one.role, nameOf(one)] as const),
  ]
}
