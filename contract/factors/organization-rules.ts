import * as z from 'zod/mini'
import { id } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'
import { signInRules, signInRulesForm } from './rules.ts'

const own = z.strictObject({ id })

/** The rules of an organisation, and what its admins need to know to set them. */
export const organizationRules = z.extend(signInRules, {
  /** Its admins without a passkey or security key, by name. */
  adminsWithoutKey: z.array(z.object({ accountId: id, name: z.string(), email: z.string() })),
  /** How many of its people can sign in with what their mailbox gives: a reset of the password, and the code. */
  peopleByMailAlone: z.int(),
  /** What the portal has for everybody: rules can only be shorter. */
  portal: z.object({ sessionIdleMinutes: z.int(), sessionMaxHours: z.int() }),
})
export type OrganizationRules = z.infer<typeof organizationRules>

export const signInRulesCalls = {
  read: route('GET /api/organizations/{id}/sign-in-rules', {
    summary: 'What an organisation asks of the sign-in of its people',
    access: 'readSettings',
    params: own,
    target: ({ params }) => ({ organizationId: params.id }),
    answer: organizationRules,
  }),
  update: route('PUT /api/organizations/{id}/sign-in-rules', {
    summary:
      'Changes them; 422 abovePortal for a time longer than that of the portal, 409 rulesShutYouOut for an admin who would keep themselves out',
    access: 'manageSettings',
    freshProof: true,
    params: own,
    target: ({ params }) => ({ organizationId: params.id }),
    input: signInRulesForm,
    answer: organizationRules,
    audit: { atMost: ['updateSignInRules'] },
  }),
}
