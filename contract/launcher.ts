import * as z from 'zod/mini'
import { id } from './fields.ts'
import { ownInvitation } from './invitations.ts'
import { serviceRole } from './roles.ts'
import { route } from './route.ts'
import { currentUser, membership } from './session.ts'

/** A service of the user in an organisation. */
export const ownService = z.object({ serviceId: id, name: z.string(), url: z.string(), userRole: serviceRole })
export type OwnService = z.infer<typeof ownService>

/** A service that the user administers, with its organisation. */
export const ownAdminService = z.extend(ownService, { organizationId: id, organizationName: z.string() })
export type OwnAdminService = z.infer<typeof ownAdminService>

/**
 * What the app needs before it can draw anything: one answer instead of a chain of five. Where the password has to be
 * changed first, the lists are empty.
 */
export const startAnswer = z.object({
  user: currentUser,
  organizations: z.array(membership),
  /** In every organisation, with any role. */
  services: z.array(ownAdminService),
  invitations: z.array(ownInvitation),
})
export type StartAnswer = z.infer<typeof startAnswer>

export const launcher = {
  start: route('GET /api/start', {
    summary: 'The person who is signed in, with organisations, services and open invitations',
    access: 'signedIn',
    beforePasswordChange: true,
    answer: startAnswer,
  }),
  organizations: route('GET /api/users/{id}/organizations', {
    summary: "A person's organisations, by name",
    access: 'readOwnOrganizations',
    params: z.strictObject({ id }),
    target: ({ params }) => ({ accountId: params.id }),
    answer: z.array(membership),
  }),
  adminServices: route('GET /api/users/{id}/admin-services', {
    summary: 'The services that a person administers, by name',
    access: 'readOwnOrganizations',
    params: z.strictObject({ id }),
    target: ({ params }) => ({ accountId: params.id }),
    answer: z.array(ownAdminService),
  }),
  services: route('GET /api/users/{accountId}/{organizationId}/services', {
    summary: "A person's services in an organisation, by name: the launcher",
    access: 'readOwnServices',
    params: z.strictObject({ accountId: id, organizationId: id }),
    target: ({ params }) => params,
    answer: z.array(ownService),
  }),
}
