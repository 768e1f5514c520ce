import type { EmailTemplateType } from '#contract/email-templates/email-templates.ts'
import type { TemplateChannel, TemplateText } from '#contract/email-templates/template-texts.ts'
import type { Language } from '#contract/roles.ts'
import { translate } from '#server/platform/messages/texts.ts'
import type { EditableValues } from './editable-values.ts'
import type { Block, Formatter, MailContent } from './template.ts'

const marker = (name: string) => `{{${name}}}`

/** Values that are placeholders: a built-in mail written with them is the text that a super user begins with. */
export const markerValues: EditableValues = {
  'user-invite': {
    organizationName: marker('organization'),
    inviterName: marker('inviter'),
    message: marker('message'),
    link: '',
    expiresAt: marker('expires'),
  },
  'reset-password': { firstName: null, byAdmin: false, link: '', expiresAt: marker('expires') },
  'notify-organization-admin': { firstName: null, organizationName: marker('organization'), users: [] },
  'notify-last-active': { firstName: null, becomesPassiveAt: marker('day') },
  'login-code': { firstName: null, code: marker('code'), minutes: marker('minutes') as unknown as number },
}

export const markerFormatter = (formatter: Formatter): Formatter => ({
  ...formatter,
  text: (key, values) => (key === 'mailResetRequested' ? marker('reason') : formatter.text(key, values)),
  greeting: () => marker('greeting'),
  dateTime: (placeholder) => placeholder,
  day: (placeholder) => placeholder,
})

/** The markup of a mail that was written with markers. */
export function markupOf({ subject, blocks }: MailContent): TemplateText {
  const button = blocks.find((block) => block.kind === 'button')
  return { subject, body: blocks.map(blockMarkup).join('\n\n'), button: button?.label ?? '' }
}

function blockMarkup(block: Block): string {
  switch (block.kind) {
    case 'button':
      return marker('button')
    case 'code':
      return block.code
    case 'list':
      return marker('users')
    case 'quote':
      return marker('message')
    case 'rich':
    case 'bullets':
      throw new Error('no built-in mail has markup')
    default:
      return block.text
  }
}

/** The built-in text message. */
export const builtInSms = (language: Language): TemplateText => ({
  subject: '',
  body: translate(language, 'smsLoginCode', { code: marker('code'), minutes: marker('minutes') }),
  button: '',
})

/** True for the texts that can be changed: text messages exist for login codes alone. */
export const hasText = (type: EmailTemplateType, channel: TemplateChannel) =>
  channel === 'mail' || type === 'login-code'
