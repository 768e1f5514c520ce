import type { Language } from '#contract/roles.ts'
import { mailHtml } from './mail-html.ts'
import { mailText } from './mail-text.ts'
import { createPen, type MailPortal, type Template } from './template.ts'
import { contactChanged } from './templates/contact-changed.ts'
import { loginCode } from './templates/login-code.ts'
import { membershipAdded } from './templates/membership-added.ts'
import { notifyLastActive } from './templates/notify-last-active.ts'
import { notifyOrganizationAdmin } from './templates/notify-organization-admin.ts'
import { passwordChanged } from './templates/password-changed.ts'
import { pendingReminder } from './templates/pending-reminder.ts'
import { refusedPassive } from './templates/refused-passive.ts'
import { resetPassword } from './templates/reset-password.ts'
import { tooManyCodes } from './templates/too-many-codes.ts'
import { userInvite } from './templates/user-invite.ts'
import { readable } from './visible-text.ts'

/** The five of the specification, then what product.md and security.md want people to be told. */
const templates = {
  'user-invite': userInvite,
  'reset-password': resetPassword,
  'notify-organization-admin': notifyOrganizationAdmin,
  'notify-last-active': notifyLastActive,
  'login-code': loginCode,
  'membership-added': membershipAdded,
  'contact-changed': contactChanged,
  'password-changed': passwordChanged,
  'too-many-codes': tooManyCodes,
  'refused-passive': refusedPassive,
  'pending-reminder': pendingReminder,
}

export type TemplateName = keyof typeof templates
/** The values of each template: JSON, so that the outbox can seal them; times are ISO 8601 texts. */
export type TemplateValues = {
  [Name in TemplateName]: (typeof templates)[Name] extends Template<infer Values> ? Values : never
}
export const templateNames = Object.keys(templates) as TemplateName[]

export interface Mail<Name extends TemplateName = TemplateName> {
  template: Name
  language: Language
  values: TemplateValues[Name]
  portal: MailPortal
}

export interface RenderedMail {
  /** One line. */
  subject: string
  html: string
  text: string
}

/** Writes a mail: its subject, and the same content as HTML and as plain text. */
export function render<Name extends TemplateName>({ template, language, values, portal }: Mail<Name>): RenderedMail {
  const write = templates[template] as Template<TemplateValues[Name]>
  const pen = createPen(language, portal)
  const content = write(readable(values), pen)
  return { subject: content.subject, html: mailHtml(content, pen), text: mailText(content, pen) }
}
