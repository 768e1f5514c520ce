import type { EmailTemplateType } from '#contract/email-templates/email-templates.ts'
import type { LoginCode } from './templates/login-code.ts'
import type { NotifyLastActive } from './templates/notify-last-active.ts'
import type { NotifyOrganizationAdmin } from './templates/notify-organization-admin.ts'
import type { ResetPassword } from './templates/reset-password.ts'
import type { UserInvite } from './templates/user-invite.ts'

/** The values of the templates whose texts super users may change. */
export interface EditableValues extends Record<EmailTemplateType, object> {
  'user-invite': UserInvite
  'reset-password': ResetPassword
  'notify-organization-admin': NotifyOrganizationAdmin
  'notify-last-active': NotifyLastActive
  'login-code': LoginCode
}
