import * as z from 'zod/mini'
import { email, id } from '#contract/fields/fields.ts'
import { endsAfterBegin, knownPeriod, period } from '#contract/fields/period.ts'
import { route } from '#contract/route.ts'

const holder = z.object({
  accountId: id,
  email: z.string(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  ...knownPeriod,
})
/** Somebody with a role for a part of an organisation, with its days. */
export type ScopedHolder = z.infer<typeof holder>

const input = z.strictObject({ email, ...period }).check(endsAfterBegin)
const ofGroup = { access: 'manageGroups', target: 'loaded' } as const
const audit = { atMost: ['updateUserRoles'] } as const

const ofService = {
  access: 'nameServiceOwners',
  params: z.strictObject({ serviceId: id, organizationId: id }),
  target: ({ params }: { params: { organizationId: string } }) => ({ organizationId: params.organizationId }),
} as const

/** Roles for a part of an organisation. */
export const scopedRoles = {
  groupAdmins: route('GET /api/groups/{id}/admins', {
    ...ofGroup,
    summary: 'The admins of a group, also those whose days begin later or have ended',
    params: z.strictObject({ id }),
    answer: z.array(holder),
  }),
  nameGroupAdmin: route('POST /api/groups/{id}/admins', {
    ...ofGroup,
    summary:
      'Makes a member of the organisation, by exact e-mail address, an admin of a group, or sets the days; 403 longerThanOwn for more days than the own, 403 ownAccount for oneself',
    freshProof: true,
    params: z.strictObject({ id }),
    input,
    answer: 'nothing',
    audit,
  }),
  dismissGroupAdmin: route('DELETE /api/groups/{id}/admins/{accountId}', {
    ...ofGroup,
    summary: 'Takes the role from an admin of a group',
    freshProof: true,
    params: z.strictObject({ id, accountId: id }),
    answer: 'nothing',
    audit: 'updateUserRoles',
  }),
  serviceOwners: route('GET /api/services/{serviceId}/{organizationId}/owners', {
    ...ofService,
    summary: 'Who is responsible for a service in an organisation, also those whose days begin later or have ended',
    answer: z.array(holder),
  }),
  nameServiceOwner: route('POST /api/services/{serviceId}/{organizationId}/owners', {
    ...ofService,
    summary:
      'Makes a member of the organisation, by exact e-mail address, responsible for a service there, or sets the days; 403 longerThanOwn for more days than the own, 403 ownAccount for oneself',
    freshProof: true,
    input,
    answer: 'nothing',
    audit,
  }),
  dismissServiceOwner: route('DELETE /api/services/{serviceId}/{organizationId}/owners/{accountId}', {
    ...ofService,
    summary: 'Takes the role from somebody who is responsible for a service in an organisation',
    freshProof: true,
    params: z.strictObject({ serviceId: id, organizationId: id, accountId: id }),
    answer: 'nothing',
    audit: 'updateUserRoles',
  }),
}
