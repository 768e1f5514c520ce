import * as z from 'zod/mini'
import { askedReview } from '#contract/access-reviews/review-answers.ts'
import { id, timestamp } from '#contract/fields/fields.ts'
import { ownInvitation } from '#contract/invitations/invitations.ts'
import { currentNotice } from '#contract/notices/notices.ts'
import { serviceRole } from '#contract/roles.ts'
import { route } from '#contract/route.ts'
import { currentUser, ownMembership } from '#contract/session/session.ts'

/** A service of the user in an organisation. */
export const ownService = z.object({ serviceId: id, name: z.string(), url: z.string(), userRole: serviceRole })
export type OwnService = z.infer<typeof ownService>

/** How a service looks in the launcher. */
const look = {
  description: z.nullable(z.string()),
  /** A glyph's name, or the address of an image. */
  icon: z.nullable(z.string()),
  category: z.nullable(z.string()),
  /** Where the category stands; null: after the others, by name. */
  categoryPosition: z.nullable(z.int()),
}

/** A service in the launcher. */
export const launcherService = z.extend(ownService, {
  ...look,
  /** The person's own choice; false for everyone else who asks. */
  favourite: z.boolean(),
  /** The last day on which the person has it, whatever ends it; null without an end. */
  endsOn: z.nullable(z.string()),
  /** When the person last opened it from the portal; null for everyone else who asks. */
  lastUsed: z.nullable(timestamp),
})
export type LauncherService = z.infer<typeof launcherService>

const inOrganization = { organizationId: id, organizationName: z.string() }

/** A service that the person's organisation has and the person lacks. */
export const missingService = z.object({
  serviceId: id,
  name: z.string(),
  ...look,
  requestable: z.boolean(),
  /** What has become of a request; null without one. */
  request: z.nullable(z.object({ refusedBecause: z.nullable(z.string()) })),
})
export type MissingService = z.infer<typeof missingService>

/** A service that the user administers, with its organisation. */
export const ownAdminService = z.extend(ownService, inOrganization)
export type OwnAdminService = z.infer<typeof ownAdminService>

/**
 * What the app needs before it can draw anything: one answer instead of a chain of five. Where the password has to be
 * changed first, the lists are empty.
 */
export const startAnswer = z.object({
  user: currentUser,
  organizations: z.array(ownMembership),
  /** In every organisation, with any role. */
  services: z.array(z.extend(launcherService, inOrganization)),
  /** What the organisations have and the person may request. */
  requestable: z.array(z.extend(missingService, { organizationId: id })),
  invitations: z.array(ownInvitation),
  notices: z.array(currentNotice),
  /** Access reviews for which the person is asked. */
  reviews: z.array(askedReview),
})
export type StartAnswer = z.infer<typeof startAnswer>

export const launcher = {
  start: route('GET /api/start', {
    summary: 'The person who is signed in, with organisations, services and open invitations',
    access: 'signedIn',
    beforePasswordChange: true,
    beforeEnrolment: true,
    answer: startAnswer,
  }),
  organizations: route('GET /api/users/{id}/organizations', {
    summary: "A person's organisations, by name",
    access: 'readOwnOrganizations',
    params: z.strictObject({ id }),
    target: ({ params }) => ({ accountId: params.id }),
    answer: z.array(ownMembership),
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
    answer: z.array(launcherService),
  }),
  requestable: route('GET /api/organizations/{id}/missing-services', {
    summary: 'What the organisation has and the caller, a member, lacks and may request, by name',
    access: 'readMissingServices',
    params: z.strictObject({ id }),
    target: ({ params }) => ({ organizationId: params.id }),
    answer: z.array(missingService),
  }),
  missingService: route('GET /api/organizations/{id}/missing-services/{serviceId}', {
    summary: 'A service that the organisation has and the caller, a member, lacks',
    access: 'readMissingServices',
    params: z.strictObject({ id, serviceId: id }),
    target: ({ params }) => ({ organizationId: params.id }),
    answer: missingService,
  }),
  setFavourite: route('PUT /api/service-preferences/{serviceId}', {
    freshProof: 'not needed: only the own start page changes',
    summary: "Makes one of the caller's services a favourite, or no longer one",
    access: 'signedIn',
    params: z.strictObject({ serviceId: id }),
    input: z.strictObject({ favourite: z.boolean() }),
    answer: 'nothing',
    // Which services a person likes is that person's own business.
    audit: 'none',
  }),
  launch: route('GET /launch/{serviceId}', {
    summary:
      "Opens one of the caller's services, and remembers that it was used; without a session the sign-in comes first",
    access: 'public',
    params: z.strictObject({ serviceId: id }),
    query: z.optional(z.strictObject({ organizationId: z.optional(id) })),
    answer: 'redirect',
  }),
}

/** The page that asks for what one of the person's organisations requires beyond this session, and goes on to a path of this origin. */
export const enterPath = (organizationId: string, returnTo: string): string =>
  `/enter/${organizationId}?${new URLSearchParams({ returnTo })}`

/** The page on which a person picks the organisation that a service is entered for; it goes on to an authorization request. */
export const chooseOrganizationPath = (organizationIds: readonly string[], returnTo: string): string =>
  `/choose-organization?${new URLSearchParams({ organizations: organizationIds.join(' '), returnTo })}`
