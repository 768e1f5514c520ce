import * as z from 'zod/mini'
import { message } from './fields.ts'
import { language } from './roles.ts'
import { route } from './route.ts'

/** The templates of the specification, section 2, in its order; the first is what the page shows first. */
export const emailTemplateTypes = [
  'user-invite',
  'reset-password',
  'notify-organization-admin',
  'notify-last-active',
  'login-code',
] as const
export const emailTemplateType = z.enum(emailTemplateTypes, message('notFound'))
export type EmailTemplateType = z.infer<typeof emailTemplateType>

export const emailTemplates = {
  preview: route('GET /api/email-templates/{type}', {
    summary: 'An e-mail template with sample values, for a sandboxed frame; in the own language unless one is named',
    access: 'manageEmailTemplates',
    params: z.strictObject({ type: emailTemplateType }),
    query: z.strictObject({ language: z.optional(language) }),
    answer: 'html',
  }),
}
