import type { Language } from '#contract/roles.ts'
import { translate } from '#server/platform/messages/texts.ts'
import { smsParts } from './sms-parts.ts'
import type { MailPortal } from './template.ts'
import type { LoginCode } from './templates/login-code.ts'

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
}

/**
 * Renders a text message. The last line binds the code to the portal's host, so that a browser autofills it only there
 * (WICG, Origin-bound one-time codes delivered via SMS).
 */
export function renderSms({ language, values, portal }: SmsMessage): string {
  const { code, minutes } = values
  const binding = `@${new URL(portal.baseUrl).hostname} #${code}`
  const whole = `${translate(language, 'smsLoginCode', { code, minutes })}\n\n${binding}`
  // With a long portal name the text would need two messages, at twice the price: shorten it to the code.
  return smsParts(whole).parts === 1 ? whole : `${translate(language, 'smsLoginCodeBare', { code })}\n\n${binding}`
}
