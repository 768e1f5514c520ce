import * as z from 'zod/mini'
import { emailTemplateType } from '#contract/email-templates/email-templates.ts'
import { templateChannels } from '#contract/email-templates/template-texts.ts'
import { id, timestamp } from '#contract/fields/fields.ts'
import type { RolePermission } from '#contract/organization-roles/role-permissions.ts'
import { language } from '#contract/roles.ts'
import { route } from '#contract/route.ts'
import { type SignInKind, signInKinds } from '#contract/sign-in-methods.ts'

/** How many days the figures cover, today included. */
export const figureDays = 30

const count = z.int()

/** What happened on one day. Days are those of Sweden. */
export const dayFigures = z.object({
  date: z.iso.date(),
  signIns: z.record(z.enum(Object.keys(signInKinds) as SignInKind[]), count),
  failedSignIns: count,
  /** Different people who signed in. */
  activePeople: count,
  acceptedInvitations: count,
})
export type DayFigures = z.infer<typeof dayFigures>

/** The figures of the 30 days before, to compare with. Of the people, those of the busiest day. */
const figuresBefore = z.object({
  signIns: count,
  failedSignIns: count,
  activePeople: count,
  acceptedInvitations: count,
})
export type FiguresBefore = z.infer<typeof figuresBefore>

const seats = z.object({
  serviceId: id,
  name: z.string(),
  seatsUsed: count,
  /** Null: no limit, in at least one of the organisations that are counted. */
  maxNumberOfUsers: z.nullable(count),
})
export type Seats = z.infer<typeof seats>

const todos = z.object({
  /** Open invitations whose mail could not be sent. */
  failedInvitations: count,
  /** Other invitations that were sent more than `longWaitDays` ago. */
  waitingInvitations: count,
  /** Members who wait for an answer to their request for a service. */
  accessRequests: count,
  /** Rows of the organisation's open access review that wait for a decision. */
  accessReviewRows: count,
  /** Open access reviews that are overdue; for super users. */
  overdueAccessReviews: count,
  /** People of whom a membership, an admin role, a service or a role in one ends within `endingSoonDays`. */
  endingAccess: count,
  /** People who become passive within `passivePreviewDays`; one more than `maxCounted` where there are more than these. */
  comingPassiveUsers: count,
  /** SAML configurations without a certificate that is valid for long enough; for super users. */
  endingCertificates: z.array(z.object({ id: z.int(), name: z.string(), validTo: timestamp })),
  /** Drafts that the IT of organisations handed in; for super users. */
  setupsToApprove: count,
  /** SAML configurations whose metadata has a certificate to confirm, or could not be read; for super users. */
  metadataToConfirm: count,
  /** At least nine tenths of the seats are used. The fullest ones; `nearlyFullCount` counts all. */
  nearlyFull: z.array(
    z.object({
      organizationId: id,
      organizationName: z.string(),
      serviceId: id,
      name: z.string(),
      seatsUsed: count,
      maxNumberOfUsers: count,
    }),
  ),
  nearlyFullCount: count,
  /** Other messages that could not be sent in the last 30 days; for super users. */
  failedMessages: count,
  /** Published texts that cannot be sent, so that the built-in ones are; for super users. */
  brokenTemplates: z.array(
    z.object({
      type: emailTemplateType,
      channel: z.enum(templateChannels),
      language,
      organizationId: z.nullable(id),
      organizationName: z.nullable(z.string()),
    }),
  ),
})
export type Todos = z.infer<typeof todos>

/** What of an organisation is shown to whom: those who can do something about it. */
export const todoPermissions = {
  failedInvitations: 'resendInvitations',
  waitingInvitations: 'resendInvitations',
  accessRequests: 'assignServices',
  accessReviewRows: 'decideReviews',
  endingAccess: 'editPeople',
  comingPassiveUsers: 'helpPeople',
  nearlyFull: 'assignServices',
} as const satisfies Partial<Record<keyof Todos, RolePermission | 'resendInvitations'>>

export const homeAnswer = z.object({
  todos,
  figures: z.object({
    /** The oldest first. */
    days: z.array(dayFigures),
    /** Null where there are no figures of that time. */
    before: z.nullable(figuresBefore),
    /** The services that most people have. */
    seats: z.array(seats),
  }),
})
export type HomeAnswer = z.infer<typeof homeAnswer>

const organization = z.strictObject({ id })

export const home = {
  ofPortal: route('GET /api/home', {
    summary: 'What needs doing in the whole portal, and the figures of the last 30 days',
    access: 'administerEverything',
    mayLag: true,
    answer: homeAnswer,
  }),
  ofOrganization: route('GET /api/organizations/{id}/home', {
    summary: 'What needs doing in an organisation, and its figures of the last 30 days',
    access: 'readPeople',
    mayLag: true,
    params: organization,
    target: ({ params }) => ({ organizationId: params.id }),
    answer: homeAnswer,
  }),
}
