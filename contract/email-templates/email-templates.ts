import * as z from 'zod/mini'
import { id, message } from '#contract/fields/fields.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { language } from '#contract/roles.ts'
import { route } from '#contract/route.ts'

/** The templates that super users may preview (product-rules 9.3), in the order of the page. */
export const emailTemplateTypes = [
  'user-invite',
  'reset-password',
  'notify-organization-admin',
  'notify-last-active',
  'login-code',
] as const
export const emailTemplateType = z.enum(emailTemplateTypes, message('notFound'))
export type EmailTemplateType = z.infer<typeof emailTemplateType>

/** What each template is called on screen. */
export const emailTemplateLabels: Record<EmailTemplateType, MessageKey> = {
  'user-invite': 'templateUserInvite',
  'reset-password': 'templateResetPassword',
  'notify-organization-admin': 'templateNotifyOrganizationAdmin',
  'notify-last-active': 'templateNotifyLastActive',
  'login-code': 'templateLoginCode',
}

const params = z.strictObject({ type: emailTemplateType })
/** As the people of an organisation get it; without one, as everyone else does. */
const query = z.strictObject({ language: z.optional(language), organizationId: z.optional(id) })

export const emailTemplates = {
  preview: route('GET /api/email-templates/{type}', {
    summary:
      "An e-mail template with sample values, for a sandboxed frame; in the caller's language unless one is named",
    access: 'manageEmailTemplates',
    params,
    query,
    answer: 'html',
  }),
  readText: route('GET /api/email-templates/{type}/text', {
    summary: 'Subject and plain text of the same mail',
    access: 'manageEmailTemplates',
    params,
    query,
    answer: z.object({ subject: z.string(), text: z.string() }),
  }),
  sendTest: route('POST /api/email-templates/{type}/test', {
    summary: 'Mails the template with its sample values to the address of the actor',
    access: 'manageEmailTemplates',
    params,
    input: query,
    answer: 'nothing',
    // Changes no entity.
    audit: 'none',
    // Its rate limit is counted before the transaction.
    atomic: false,
  }),
}
