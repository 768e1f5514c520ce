import type { EmailTemplateType } from '#contract/email-templates/email-templates.ts'
import type { Language } from '#contract/roles.ts'
import type { TemplateValues } from '#server/mails/mails.ts'
import type { MailPortal } from '#server/mails/template.ts'
import { translate } from '#server/platform/messages/texts.ts'

interface Sample {
  language: Language
  portal: MailPortal
  /** The user who looks at the preview, as the recipient. */
  firstName: string | null
  email: string
  now: Date
}

const organizationName = 'Nordvik AB'

/** Sample values for the preview of a template. Its links do not work. */
export function sampleValues({
  language,
  portal,
  firstName,
  email,
  now,
}: Sample): Pick<TemplateValues, EmailTemplateType> {
  const inDays = (days: number) => new Date(now.getTime() + days * 24 * 60 * 60 * 1000).toISOString()
  return {
    'user-invite': {
      organizationName,
      inviterName: email,
      message: translate(language, 'mailSampleMessage'),
      link: `${portal.baseUrl}/accept-invitation/example`,
      expiresAt: inDays(7),
    },
    'reset-password': {
      firstName,
      byAdmin: false,
      link: `${portal.baseUrl}/reset-password/example`,
      expiresAt: inDays(1 / 24),
    },
    'notify-organization-admin': {
      firstName,
      organizationName,
      users: [
        { name: 'Åsa Åberg', email: 'user@nordvik.example', lastActive: inDays(-180) },
        { name: null, email: 'both@nordvik.example', lastActive: null },
      ],
    },
    'notify-last-active': { firstName, becomesPassiveAt: inDays(14) },
    'login-code': { firstName, code: '123456', minutes: 10 },
  }
}
