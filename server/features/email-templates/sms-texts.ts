import type { Language } from '#contract/roles.ts'
import { translate } from '#server/platform/texts.ts'
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
 * Writes a text message. The last line binds the code to the portal's host, so that a browser fills it in there and
 * nowhere else (WICG, Origin-bound one-time codes delivered via SMS).
 */
export function renderSms({ language, values, portal }: SmsMessage): string {
  const { code, minutes } = values
  const binding = `@${new URL(portal.baseUrl).hostname} #${code}`
  const whole = `${translate(language, 'smsLoginCode', { code, minutes })}\n\n${binding}`
  // A portal with a long name: the code matters more than what else there is to say, and two messages cost twice.
  return smsParts(whole).parts === 1 ? whole : `${translate(language, 'smsLoginCodeBare', { code })}\n\n${binding}`
}
