import * as z from 'zod/mini'
import { id, timestamp } from '#contract/fields/fields.ts'
import { portalRole } from '#contract/portal-roles.ts'
import { language, loginMethod, organizationRole, serviceRole } from '#contract/roles.ts'
import { heldRole } from '#contract/session/session.ts'

/**
 * A person or an open invitation in a list: every field of a person but the personal number. What the reader may not see
 * is null, as in the person itself.
 */
export const userSummary = z.object({
  /** For an invitation its own id, so that it does not reveal whether the address has an account. */
  accountId: id,
  email: z.string(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  phoneNumber: z.nullable(z.string()),
  preferredLanguage: z.nullable(language),
  /** Null for people who also belong to an organisation out of the reader's reach. */
  loginMethod: z.nullable(loginMethod),
  samlConfigId: z.nullable(z.int()),
  organizations: z.array(
    z.object({
      organizationId: id,
      name: z.string(),
      userRole: organizationRole,
      /** Roles beside the admin role; missing without any. */
      roles: z.optional(z.array(heldRole)),
    }),
  ),
  /** Each once; `serviceAdmin` if the person administers it in one of the organisations. */
  services: z.array(z.object({ serviceId: id, name: z.string(), userRole: serviceRole })),
  /** Those of the organisations above that the reader administers. */
  groups: z.array(z.object({ groupId: id, name: z.string() })),
  /** Always false or null unless the reader works for the operator or is the person themselves; the same applies below. */
  superUser: z.boolean(),
  portalRole: z.nullable(portalRole),
  /** Invited, and not accepted. */
  pending: z.boolean(),
  /** Accepted, but not yet confirmed by the first sign-in with BankID or SAML. */
  awaitsSignIn: z.boolean(),
  passive: z.boolean(),
  /** Whether the owner of the address has proven it; null for an invitation. */
  emailProven: z.nullable(z.boolean()),
  /** When the mail server refused the address for good; null once a mail got through. */
  emailRefusedAt: z.nullable(timestamp),
  /** The first last day of a membership, an admin role or a service that the reader may see. */
  endsOn: z.nullable(z.string()),
  lastLogin: z.nullable(timestamp),
  lastActive: z.nullable(timestamp),
  /** Days; null if the organisation's value applies. */
  maxPassiveDays: z.nullable(z.int()),
  /** True if the reader may change names, personal number and phone number. */
  editable: z.boolean(),
})
export type UserSummary = z.infer<typeof userSummary>
