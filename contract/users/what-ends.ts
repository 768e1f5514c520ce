import * as z from 'zod/mini'
import { id } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'

/** What has a right because somebody does, and loses it with them. */
export const whatEnds = z.object({
  /** Of each organisation that has something of it, by name. */
  organizations: z.array(
    z.object({
      name: z.string(),
      /** Names of tokens for which they answer. */
      tokens: z.array(z.string()),
      /** How many set-up links end. */
      setupLinks: z.int(),
      /** How many invitations give only a membership from then on. */
      invitations: z.int(),
      /** How many other invitations of theirs stay; only a link that they have read opens nothing from then on. */
      otherInvitations: z.int(),
      /** Names of the directory's groups that let nobody else in. */
      directoryGroups: z.array(z.string()),
    }),
  ),
  /** Addresses that get no more audit events. */
  streams: z.array(z.string()),
  /** Services whose client secret they have read. */
  clients: z.array(z.string()),
})
export type WhatEnds = z.infer<typeof whatEnds>

export const endsOfPeople = {
  everywhere: route('GET /api/users/{id}/what-ends', {
    summary: 'What somebody has made that loses its right with theirs, in the portal and every organisation',
    access: 'manageUsers',
    params: z.strictObject({ id }),
    answer: whatEnds,
  }),
  inOrganization: route('GET /api/users/{userId}/organization/{organizationId}/what-ends', {
    summary: 'The same of a member in one organisation; nothing of who operates the portal',
    access: 'administerOrganization',
    target: ({ params }) => ({ organizationId: params.organizationId }),
    params: z.strictObject({ userId: id, organizationId: id }),
    answer: whatEnds,
  }),
}
