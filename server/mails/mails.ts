import { type EmailTemplateType, emailTemplateTypes } from '#contract/email-templates/email-templates.ts'
import type { TemplateChannel, TemplateText } from '#contract/email-templates/template-texts.ts'
import type { Language } from '#contract/roles.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JsonObject } from '#server/platform/database/database-types.ts'
import type { Message } from '#server/platform/messages/outbox.ts'
import { builtInSms, markerFormatter, markerValues, markupOf } from './built-in-text.ts'
import { listBrokenTexts } from './chosen-texts.repository.ts'
import { customContent } from './custom-text.ts'
import { mailHtml } from './mail-html.ts'
import { mailText } from './mail-text.ts'
import type { SmsTemplateName, SmsValues } from './sms-texts.ts'
import { stripInvisibleCharacters } from './strip-invisible-characters.ts'
import { createFormatter, type MailBrand, type MailPortal, type Template } from './template.ts'
import { accessAnswered } from './templates/access-answered.ts'
import { accessEnds, accessEndsOfOthers } from './templates/access-ends.ts'
import { accessRequested } from './templates/access-requested.ts'
import { accessReview } from './templates/access-review.ts'
import { certificateEnds } from './templates/certificate-ends.ts'
import { contactChanged } from './templates/contact-changed.ts'
import { factorChanged } from './templates/factor-changed.ts'
import { confirmCode, loginCode } from './templates/login-code.ts'
import { membershipAdded } from './templates/membership-added.ts'
import { newBrowser } from './templates/new-browser.ts'
import { noPassword } from './templates/no-password.ts'
import { noSeatLeft } from './templates/no-seat-left.ts'
import { notifyLastActive } from './templates/notify-last-active.ts'
import { notifyLastAdmin } from './templates/notify-last-admin.ts'
import { notifyOrganizationAdmin } from './templates/notify-organization-admin.ts'
import { numberProvenElsewhere } from './templates/number-proven-elsewhere.ts'
import { ownDataReady } from './templates/own-data-ready.ts'
import { passkeyChanged } from './templates/passkey-changed.ts'
import { passwordChanged } from './templates/password-changed.ts'
import { pendingReminder } from './templates/pending-reminder.ts'
import { recovery } from './templates/recovery.ts'
import { refusedPassive } from './templates/refused-passive.ts'
import { resetPassword } from './templates/reset-password.ts'
import { scimTokenEnds } from './templates/scim-token-ends.ts'
import { signInToCheck } from './templates/sign-in-to-check.ts'
import { streamStopped } from './templates/stream-stopped.ts'
import { testMail } from './templates/test-mail.ts'
import { tooManyCodes } from './templates/too-many-codes.ts'
import { userInvite } from './templates/user-invite.ts'
import { wrongPasswords } from './templates/wrong-passwords.ts'

/** The five templates of product-rules 9.3, then the other notifications. */
const templates = {
  'user-invite': userInvite,
  'reset-password': resetPassword,
  'notify-organization-admin': notifyOrganizationAdmin,
  'notify-last-active': notifyLastActive,
  'login-code': loginCode,
  'confirm-code': confirmCode,
  'membership-added': membershipAdded,
  'contact-changed': contactChanged,
  'number-proven-elsewhere': numberProvenElsewhere,
  'passkey-changed': passkeyChanged,
  'password-changed': passwordChanged,
  'factor-changed': factorChanged,
  'own-data-ready': ownDataReady,
  'no-password': noPassword,
  'too-many-codes': tooManyCodes,
  'wrong-passwords': wrongPasswords,
  recovery,
  'new-browser': newBrowser,
  'refused-passive': refusedPassive,
  'pending-reminder': pendingReminder,
  'no-seat-left': noSeatLeft,
  'notify-last-admin': notifyLastAdmin,
  'access-requested': accessRequested,
  'access-answered': accessAnswered,
  'access-review': accessReview,
  'access-ends': accessEnds,
  'access-ends-of-others': accessEndsOfOthers,
  'certificate-ends': certificateEnds,
  'scim-token-ends': scimTokenEnds,
  'sign-in-to-check': signInToCheck,
  'stream-stopped': streamStopped,
  'test-mail': testMail,
}

export type TemplateName = keyof typeof templates
/** The values of each template: JSON, so that the outbox can encrypt them. Times are ISO 8601 strings. */
export type TemplateValues = {
  [Name in TemplateName]: (typeof templates)[Name] extends Template<infer Values>
    ? { [Key in keyof Values]: Values[Key] }
    : never
}
export const templateNames = Object.keys(templates) as TemplateName[]

export interface Mail<Name extends TemplateName = TemplateName> {
  template: Name
  language: Language
  values: TemplateValues[Name]
  portal: MailPortal
  /** The organisation's. */
  brand?: MailBrand | undefined
  /** A super user's text, in place of the built-in one. */
  text?: TemplateText | undefined
}

/** The settings that every mail shows. */
export const mailPortal = ({ companyName, supportEmail, supportPhone, baseUrl }: Config): MailPortal => ({
  companyName,
  supportEmail,
  supportPhone,
  baseUrl,
})

export interface RenderedMail {
  /** One line. */
  subject: string
  html: string
  text: string
}

/**
 * Renders a mail: its subject, and the same content as HTML and as plain text.
 *
 * @throws Error if its own text cannot be used
 */
export function renderMail<Name extends TemplateName>(mail: Mail<Name>): RenderedMail {
  const { template, language, portal, brand, text } = mail
  const write = templates[template] as Template<TemplateValues[Name]>
  const formatter = createFormatter(language, portal)
  const values = stripInvisibleCharacters(mail.values)
  const builtIn = write(values, formatter)
  const content =
    text && isEditable(template)
      ? customContent({ type: template, text, values: values as never }, builtIn, formatter)
      : builtIn
  return { subject: content.subject, html: mailHtml(content, formatter, brand), text: mailText(content, formatter) }
}

/** True for the templates whose texts super users may change. */
export const isEditable = (template: string): template is EmailTemplateType =>
  (emailTemplateTypes as readonly string[]).includes(template)

/** Published texts that cannot be sent; the built-in ones are sent instead. */
export const brokenTexts = (db: Db) => listBrokenTexts(db)

/** The built-in text with its placeholders, as a super user begins with it. */
export function builtInText(type: EmailTemplateType, channel: TemplateChannel, language: Language): TemplateText {
  if (channel === 'sms') return builtInSms(language)
  const portal = { companyName: '', supportEmail: '', baseUrl: '' }
  const write = templates[type] as Template<unknown>
  return markupOf(write(markerValues[type], markerFormatter(createFormatter(language, portal))))
}

/** A mail for the outbox, with the values that its template needs: `outbox.mail(db, mailMessage({template: …}))`. */
export const mailMessage = <Name extends TemplateName>(message: Typed<Name, TemplateValues[Name]>): Message => ({
  ...message,
  values: message.values as unknown as JsonObject, // TemplateValues is valid JSON; its arrays are readonly
})

/** A text message for the outbox, with the values that its template needs. */
export const smsMessage = <Name extends SmsTemplateName>(message: Typed<Name, SmsValues[Name]>): Message => ({
  ...message,
  values: { ...message.values },
})

type Typed<Name, Values> = Omit<Message, 'template' | 'values'> & { template: Name; values: Values }
