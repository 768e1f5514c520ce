import { smsParts } from '#contract/email-templates/sms-parts.ts'
import type { TemplateText } from '#contract/email-templates/template-texts.ts'
import type { Language } from '#contract/roles.ts'
import { translate } from '#server/platform/messages/texts.ts'
import { isUsable } from './custom-text.ts'
import type { MailPortal } from './template.ts'
import type { LoginCode } from './templates/login-code.ts'
import { fillPlaceholders } from './text-markup.ts'

/** The values of each text message. */
export interface SmsValues {
  'login-code': Pick<LoginCode, 'code' | 'minutes'>
}
export type SmsTemplateName = keyof SmsValues
export const smsTemplateNames: readonly SmsTemplateName[] = ['login-code']

export interface SmsMessage<Name extends SmsTemplateName = SmsTemplateName> {
  template: Name
  language: Language
  values: SmsValues[Name]
  portal: Pick<MailPortal, 'baseUrl'>
  /** A super user's text, in place of the built-in one. */
  text?: TemplateText | undefined
}

/**
 * Renders a text message. The last line binds the code to the portal's host, so that a browser autofills it only there
 * (WICG, Origin-bound one-time codes delivered via SMS).
 */
export function renderSms({ language, values, portal, text }: SmsMessage): string {
  const { code, minutes } = values
  const binding = `@${new URL(portal.baseUrl).hostname} #${code}`
  if (text) {
    if (!isUsable('login-code', 'sms', text)) throw new Error('its text does not suit its placeholders')
    return `${fillPlaceholders(text.body, { code, minutes: String(minutes) })}\n\n${binding}`
  }
  const whole = `${translate(language, 'smsLoginCode', { code, minutes })}\n\n${binding}`
  // With a long portal name the text would need two messages, at twice the price: shorten it to the code.
  return smsParts(whole).parts === 1 ? whole : `${translate(language, 'smsLoginCodeBare', { code })}\n\n${binding}`
}
