import * as z from 'zod/mini'
import { id } from './fields.ts'
import { serviceRole } from './roles.ts'
import { route } from './route.ts'
import { membership } from './session.ts'

/** A service that somebody has in an organisation. */
export const ownService = z.object({ serviceId: id, name: z.string(), url: z.string(), userRole: serviceRole })
export type OwnService = z.infer<typeof ownService>

/** A service that somebody administers, with the organisation in which. */
export const ownAdminService = z.extend(ownService, { organizationId: id, organizationName: z.string() })
export type OwnAdminService = z.infer<typeof ownAdminService>

export const launcher = {
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
