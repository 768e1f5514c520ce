import * as z from 'zod/mini'
import { limited } from '#contract/fields/fields.ts'
import type { Permission, PermissionTarget } from '#contract/permissions.ts'
import { route } from '#contract/route.ts'

/** What a permission may be about where somebody acts in one organisation: it, one service there, and the person. */
export interface Place {
  accountId: string
  organizationId: string
  serviceId: string
}
type AboutPlace = {
  [Name in Permission]: PermissionTarget<Name> extends { organizationId: string }
    ? Place extends PermissionTarget<Name>
      ? Name
      : never
    : never
}[Permission]

/** The permissions that a service may ask about; a new one that is about an organisation does not compile until it stands here. */
const aboutOrganization: Record<AboutPlace, true> = {
  administerOrganization: true,
  administerUsers: true,
  answerAccessRequests: true,
  appointServiceAdmins: true,
  assignServices: true,
  changeMembership: true,
  decideReviews: true,
  editPeople: true,
  giveRoles: true,
  handOutService: true,
  handOutServiceRoles: true,
  handOutServices: true,
  helpPeople: true,
  invitePeople: true,
  listGroups: true,
  manageGroups: true,
  manageSettings: true,
  nameServiceOwners: true,
  readAudit: true,
  readDetails: true,
  readMissingServices: true,
  readOrganization: true,
  readOwnServices: true,
  readPeople: true,
  readReviews: true,
  readServiceRoles: true,
  readServiceUsers: true,
  readSettings: true,
  removePeople: true,
  requestAccess: true,
  resendInvitations: true,
  takePartInReview: true,
}

/** True for the name of a permission that a service may ask about. */
export const isAboutOrganization = (name: string): name is AboutPlace => Object.hasOwn(aboutOrganization, name)

/** At most so many questions in one request. */
export const maxQuestions = 50

const text = z.string().check(limited(200), z.minLength(1))
const entity = z.object({ type: text, id: text })
// Read by `decide`: a list of names of methods, and else nothing.
const context = z.optional(z.object({ amr: z.optional(z.unknown()) }))

/** AuthZEN 1.0, 6.1. Fields that nobody knows are ignored (10.1.1), and so are `properties`: what a caller claims gives nobody a right. */
export const question = z.object({ subject: entity, action: z.object({ name: text }), resource: entity, context })
export type Question = z.infer<typeof question>

/** AuthZEN 1.0, 7.1: several questions with what they have in common. A question that is wrong is answered by itself. */
const unread = {
  subject: z.optional(z.unknown()),
  action: z.optional(z.unknown()),
  resource: z.optional(z.unknown()),
  context: z.optional(z.unknown()),
}
const questions = z.object({
  ...unread,
  evaluations: z.optional(z.array(z.object(unread)).check(limited(maxQuestions))),
  options: z.optional(
    z.object({
      evaluations_semantic: z.optional(z.enum(['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'])),
    }),
  ),
})

const decision = z.object({
  decision: z.boolean(),
  context: z.optional(z.object({ reason: z.enum(['invalidRequest', 'twoFactorsNeeded']) })),
})
export type Decision = z.infer<typeof decision>

const common = { access: 'machine', wrongInput: 400, callLimit: 'decision', audit: 'none', atomic: false } as const

/** Questions of services whether somebody may do something, by the AuthZEN Authorization API 1.0. */
export const decisions = {
  evaluation: route('POST /access/v1/evaluation', {
    ...common,
    summary: 'Whether somebody may do something in an organisation (AuthZEN 1.0)',
    input: question,
    answer: decision,
  }),
  evaluations: route('POST /access/v1/evaluations', {
    ...common,
    summary: `The same for up to ${maxQuestions} questions at once`,
    input: questions,
    answer: z.union([decision, z.object({ evaluations: z.array(decision) })]),
  }),
  metadata: route('GET /.well-known/authzen-configuration', {
    summary: 'Where these questions are answered',
    access: 'public',
    session: false,
    answer: z.object({
      policy_decision_point: z.string(),
      access_evaluation_endpoint: z.string(),
      access_evaluations_endpoint: z.string(),
    }),
  }),
}
