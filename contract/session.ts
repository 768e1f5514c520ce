import * as z from 'zod/mini'
import { id } from './fields.ts'
import { language, loginMethod, organizationRole } from './roles.ts'
import { route } from './route.ts'
import { version } from './services.ts'

/** The person who is signed in. The ssn is the person's own, so it is whole. */
export const currentUser = z.object({
  accountId: id,
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  email: z.string(),
  ssn: z.nullable(z.string()),
  phoneNumber: z.nullable(z.string()),
  preferredLanguage: z.nullable(language),
  loginMethod,
  superUser: z.boolean(),
  /** Somebody else chose the password: until it is changed, the portal offers nothing but that. */
  passwordMustChange: z.boolean(),
  version,
})
export type CurrentUser = z.infer<typeof currentUser>

export const session = {
  me: route('GET /api/me', {
    summary: 'The person who is signed in',
    access: 'signedIn',
    beforePasswordChange: true,
    answer: currentUser,
  }),
  expire: route('GET /api/session-expire', {
    summary: 'How long the session still lives; asking does not lengthen it, and without a session it is 0',
    access: 'public',
    answer: z.object({ secondsToLive: z.int() }),
  }),
}

/** An organisation as somebody's membership. */
export const membership = z.object({
  organizationId: id,
  name: z.string(),
  organizationNumber: z.nullable(z.string()),
  userRole: organizationRole,
})
export type Membership = z.infer<typeof membership>
