import type { ReactNode } from 'react'
import type { RolePermission } from '#contract/organization-roles/role-permissions.ts'
import { can, type Permission, type PermissionTarget } from '#contract/permissions.ts'
import { useActor } from './signed-in.tsx'

/** The rules of the contract, asked for the person who is signed in. The server decides; this only hides. */
export function useCan() {
  const actor = useActor()
  return <Name extends Permission>(name: Name, target?: PermissionTarget<Name>) => can(actor, name, target)
}

/** Whether they hold all that an admin of an organisation may, and so can make somebody one. */
export function useGivesAdminRole() {
  const may = useCan()
  return (organizationId: string) => may('administerOrganization', { organizationId })
}

/** Whether they hold all of these in an organisation: nobody gives, changes or takes more. */
export function useHolds(organizationId: string) {
  const may = useCan()
  return (permissions: readonly RolePermission[]) => permissions.every((one) => may(one, { organizationId }))
}

interface CanProps<Name extends Permission> {
  do: Name
  to?: PermissionTarget<Name> | undefined
  children: ReactNode
}

/** Shows its children to whom a permission lets in: `<Can do="updateUser" to={user}>`. */
export function Can<Name extends Permission>({ do: name, to, children }: CanProps<Name>) {
  return useCan()(name, to) ? children : null
}
