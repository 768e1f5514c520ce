import * as z from 'zod/mini'
import type { OrganizationRole, ServiceRole } from '#contract/roles.ts'

/** What a role of an organisation can allow, in the order in which people read it. `npm run schema` writes it into SQL. */
export const rolePermission = z.enum([
  'readPeople',
  'readDetails',
  'invitePeople',
  'helpPeople',
  'editPeople',
  'removePeople',
  'assignServices',
  'giveRoles',
  'readAudit',
  'readReviews',
  'decideReviews',
  'readSettings',
  'manageSettings',
])
export type RolePermission = z.infer<typeof rolePermission>
export const rolePermissions: readonly RolePermission[] = rolePermission.options

/** The holder of one of these decides what others may; a directory never gives them. `npm run schema` writes it into SQL. */
export const powersOverOthers: readonly RolePermission[] = ['giveRoles', 'manageSettings']

/** Nobody can change what they cannot see. */
const implied: Partial<Record<RolePermission, readonly RolePermission[]>> = {
  readDetails: ['readPeople'],
  invitePeople: ['readPeople'],
  helpPeople: ['readPeople'],
  editPeople: ['readPeople', 'readDetails'],
  removePeople: ['readPeople'],
  assignServices: ['readPeople'],
  giveRoles: ['readPeople'],
  readReviews: ['readPeople'],
  decideReviews: ['readPeople', 'readReviews'],
  manageSettings: ['readSettings'],
}

/** The permissions with those that they need, each once and in order. */
export function withImplied(chosen: readonly RolePermission[]): RolePermission[] {
  const all = new Set(chosen.flatMap((name) => [name, ...(implied[name] ?? [])]))
  return rolePermissions.filter((name) => all.has(name))
}

/** The roles that every organisation has beside `organizationAdmin`, which allows everything. `npm run schema` writes them into SQL. */
export const builtInRoles = {
  reader: ['readPeople', 'readDetails', 'readAudit', 'readReviews', 'readSettings'],
  auditor: ['readPeople', 'readAudit', 'readReviews', 'readSettings'],
  helpDesk: ['readPeople', 'readDetails', 'helpPeople'],
  personnelAdministrator: [
    'readPeople',
    'readDetails',
    'invitePeople',
    'helpPeople',
    'editPeople',
    'removePeople',
    'assignServices',
  ],
} as const satisfies Record<string, readonly RolePermission[]>
export type BuiltInRole = keyof typeof builtInRoles

export const isBuiltIn = (role: string): role is BuiltInRole => Object.hasOwn(builtInRoles, role)

/**
 * What the admin of a service in an organisation hands out, and so do its owner and the admin of a group. Who makes somebody
 * one holds these.
 */
export const serviceAdminNeeds: readonly RolePermission[] = ['giveRoles', 'assignServices']

interface Powers {
  userRole?: OrganizationRole | undefined
  services: readonly { userRole: ServiceRole }[]
}

/** What is held by somebody who gives or promises these roles and services, or opens the way to them. */
export function neededToGive(people: readonly Powers[]): readonly RolePermission[] {
  if (people.some(({ userRole }) => userRole === 'organizationAdmin')) return rolePermissions
  const services = people.flatMap((one) => one.services)
  if (services.some(({ userRole }) => userRole === 'serviceAdmin')) return serviceAdminNeeds
  return services.length > 0 ? ['assignServices'] : []
}

/** The same for those who change or take them: ordinary services do not count. */
export const neededToReach = ({ userRole, services }: Powers): readonly RolePermission[] =>
  neededToGive([{ userRole, services: services.filter((one) => one.userRole === 'serviceAdmin') }])

/** Roles for a part of an organisation: a service that it has, or one of its groups. The database has the same two. */
export const scopedRole = z.enum(['serviceOwner', 'groupAdmin'])
export type ScopedRole = z.infer<typeof scopedRole>

/** What those hold who name somebody with a role for a part, and reach such a person: of a group everything, as who manages groups. */
export const scopedNeeds: Readonly<Record<ScopedRole, readonly RolePermission[]>> = {
  serviceOwner: serviceAdminNeeds,
  groupAdmin: rolePermissions,
}
