import * as z from 'zod/mini'
import {
  email,
  forceQuery,
  id,
  longPaged,
  maxInteger,
  message,
  optionalText,
  pageQuery,
  version,
} from '#contract/fields/fields.ts'
import { isName, requiredName } from '#contract/fields/names.ts'
import { normalizedOrganizationNumber } from '#contract/fields/organization-number.ts'
import { isCompany, type LoginMethod } from '#contract/login-methods.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { loginMethod } from '#contract/roles.ts'
import { route } from '#contract/route.ts'
import { lockedOut } from './locked-out.ts'
import { organizationService, organizationServices } from './organization-services.ts'

/** A company's sign-in needs its configuration. */
export const samlNeedsConfig = z.refine<{ loginMethod: LoginMethod; samlConfigId: number | null }>(
  (filled) => !isCompany(filled.loginMethod) || filled.samlConfigId !== null,
  { error: message('samlConfigRequired'), path: ['samlConfigId'] },
)
const fields = {
  name: requiredName(),
  organizationNumber: z.pipe(optionalText(50), z.nullable(z.string().check(z.overwrite(normalizedOrganizationNumber)))),
  loginMethod,
  samlConfigId: z.nullable(z.int().check(z.minimum(1, message('samlConfigRequired')), z.maximum(maxInteger))),
  /** Also people whose account the organisation opened must meet its sign-in method. */
  requireLoginMethod: z.boolean(),
  /** Unknown people in a domain of its organisation sign-in become regular members when they sign in there. */
  createAtSignIn: z.boolean(),
  /** Days. */
  maxPassiveDays: z
    .int(message('invalidNumber'))
    .check(z.minimum(1, message('invalidNumber')), z.maximum(36_500, message('invalidNumber'))),
  /** Days until the membership of a guest or consultant ends; null: no end by itself. */
  guestDays: z.nullable(
    z
      .int(message('invalidNumber'))
      .check(z.minimum(1, message('invalidNumber')), z.maximum(3650, message('invalidNumber'))),
  ),
  /** The name that its mails come from. One line, and no address: mail programs show it in place of the real one. */
  senderName: z.pipe(
    optionalText(60),
    z.nullable(
      z
        .string()
        .check(z.regex(/^[^\p{C}\p{Zl}\p{Zp}@<>"]*$/u, { error: message('senderNameRefused'), abort: true }), isName),
    ),
  ),
  /** Where answers to its mails go. */
  replyTo: z.pipe(optionalText(254), z.nullable(email)),
  services: organizationServices,
}
const form = z.strictObject({
  ...fields,
  organizationNumber: z._default(z.optional(fields.organizationNumber), null),
  samlConfigId: z._default(z.optional(fields.samlConfigId), null),
  requireLoginMethod: z._default(z.optional(fields.requireLoginMethod), false),
  createAtSignIn: z._default(z.optional(fields.createAtSignIn), false),
  maxPassiveDays: z._default(z.optional(fields.maxPassiveDays), 180),
  guestDays: z._default(z.optional(fields.guestDays), 180),
  senderName: z._default(z.optional(fields.senderName), null),
  replyTo: z._default(z.optional(fields.replyTo), null),
})
export const organizationForm = form.check(samlNeedsConfig)
export type OrganizationForm = z.infer<typeof organizationForm>

/** A change. Fields that are left out stay as they are. */
export const organizationChange = z.extend(z.partial(z.strictObject(fields)), {
  organizationId: id,
  version: z.optional(version),
})
export type OrganizationChange = z.infer<typeof organizationChange>

export const organizationLabels: FieldLabels<OrganizationForm> = {
  name: 'name',
  organizationNumber: 'organizationNumber',
  loginMethod: 'loginMethod',
  samlConfigId: 'samlConfig',
  requireLoginMethod: 'requireLoginMethod',
  createAtSignIn: 'createAtSignIn',
  maxPassiveDays: 'maxPassiveDays',
  guestDays: 'guestDays',
  senderName: 'senderName',
  replyTo: 'replyTo',
  services: 'services',
}

/** As they are stored. */
const settings = {
  organizationNumber: z.nullable(z.string()),
  loginMethod,
  samlConfigId: z.nullable(z.int()),
  requireLoginMethod: z.boolean(),
  createAtSignIn: z.boolean(),
  /** Days. */
  maxPassiveDays: z.int(),
  /** Days; null: without an end. */
  guestDays: z.nullable(z.int()),
  senderName: z.nullable(z.string()),
  replyTo: z.nullable(z.string()),
  version,
}

/** An organisation. A member who is not its admin sees only the name and their own services. */
export const organization = z.extend(z.partial(z.object(settings)), {
  organizationId: id,
  name: z.string(),
  services: z.array(organizationService),
})
export type Organization = z.infer<typeof organization>

/** An organisation in a list to choose from. */
export const organizationSummary = z.object({ organizationId: id, name: z.string(), ...settings })
export type OrganizationSummary = z.infer<typeof organizationSummary>

/** An organisation in a paged list. */
export const listedOrganization = z.extend(organizationSummary, {
  services: z.array(organizationService),
  memberCount: z.int(),
  /** `signInOff`: its configuration is switched off, so that nobody can sign in through it. */
  state: z.enum(['active', 'noPeople', 'signInOff']),
})
export type ListedOrganization = z.infer<typeof listedOrganization>

const organizationSorts = ['name', 'organizationNumber'] as const
const own = z.strictObject({ id })

export const organizations = {
  list: route('GET /api/organizations', {
    summary: 'Organisations, searched by name or number, page by page',
    access: 'readOrganizations',
    mayLag: true,
    query: pageQuery(organizationSorts),
    answer: longPaged(listedOrganization),
  }),
  plainList: route('GET /api/organizations/list', {
    summary: 'All organisations, to choose from',
    access: 'readOrganizations',
    mayLag: true,
    query: z.strictObject({
      sort: z._default(z.optional(z.enum(organizationSorts)), 'name'),
      sortDirection: z._default(z.optional(z.enum(['asc', 'desc'])), 'asc'),
    }),
    answer: z.array(organizationSummary),
  }),
  read: route('GET /api/organizations/{id}', {
    summary: 'One organisation with its services; members see its name and their own services',
    access: 'readOrganization',
    params: own,
    target: ({ params }) => ({ organizationId: params.id }),
    answer: organization,
  }),
  services: route('GET /api/organizations/{id}/services', {
    summary: "An organisation's services; members see their own",
    access: 'readOrganization',
    params: own,
    target: ({ params }) => ({ organizationId: params.id }),
    answer: z.array(organizationService),
  }),
  create: route('POST /api/organizations', {
    summary: 'Adds an organisation',
    access: 'manageOrganizations',
    input: organizationForm,
    answer: organization,
    status: 201,
    audit: 'createOrganization',
  }),
  update: route('PUT /api/organizations', {
    takesBack: '/api/organizations/{organizationId}',
    summary:
      'Changes an organisation; 409 seatsInUse, serviceInUse for a service that people have unless force=true, or peopleLockedOut where organisation sign-in would keep members out, unless lockedOut says that they become guests or stay out',
    access: 'manageOrganizations',
    freshProof: 'loaded',
    query: z.extend(forceQuery, { lockedOut: z.optional(z.enum(['guests', 'stay'])) }),
    input: organizationChange,
    answer: organization,
    audit: { atMost: ['updateOrganization'] },
  }),
  lockedOut,
  remove: route('DELETE /api/organizations/{id}', {
    summary: 'Deletes an organisation, never its people; 409 organizationNotEmpty unless force=true',
    access: 'manageOrganizations',
    freshProof: true,
    params: own,
    query: forceQuery,
    answer: 'nothing',
    audit: 'deleteOrganization',
  }),
}
