import type { EmailTemplateType } from '#contract/email-templates/email-templates.ts'
import { templateForm } from '#contract/email-templates/template-editor.ts'
import type { TemplateChannel, TemplateText } from '#contract/email-templates/template-texts.ts'
import type { EditableValues } from './editable-values.ts'
import type { Block, Formatter, MailContent } from './template.ts'
import { fillPlaceholders, readMarkup } from './text-markup.ts'

/** What the placeholders within a text stand for. */
const wordsOf: {
  [Type in EmailTemplateType]: (values: EditableValues[Type], formatter: Formatter) => Record<string, string>
} = {
  'user-invite': ({ organizationName, inviterName, expiresAt }, { greeting, portal, dateTime }) => ({
    greeting: greeting(null),
    organization: organizationName ?? portal.companyName,
    inviter: inviterName ?? portal.companyName,
    expires: dateTime(expiresAt),
  }),
  'reset-password': ({ firstName, byAdmin, expiresAt }, { greeting, text, dateTime }) => ({
    greeting: greeting(firstName),
    reason: text(byAdmin ? 'mailResetRequestedByAdmin' : 'mailResetRequested'),
    expires: dateTime(expiresAt),
  }),
  'notify-organization-admin': ({ firstName, organizationName }, { greeting }) => ({
    greeting: greeting(firstName),
    organization: organizationName,
  }),
  'notify-last-active': ({ firstName, becomesPassiveAt }, { greeting, day }) => ({
    greeting: greeting(firstName),
    day: day(becomesPassiveAt),
  }),
  'login-code': ({ firstName, code, minutes }, { greeting }) => ({
    greeting: greeting(firstName),
    code,
    minutes: String(minutes),
  }),
}

/** True if the text can be sent: what is stored may be older than this version's placeholders. */
export const isUsable = (type: EmailTemplateType, channel: TemplateChannel, text: unknown): text is TemplateText =>
  templateForm({ type, channel }).safeParse(text).success

/**
 * The mail with a super user's text. Button, code, list and message are those of the built-in mail.
 *
 * @throws Error if the text cannot be used
 */
export function customContent<Type extends EmailTemplateType>(
  { type, text, values }: { type: Type; text: TemplateText; values: EditableValues[Type] },
  builtIn: MailContent,
  formatter: Formatter,
): MailContent {
  if (!isUsable(type, 'mail', text)) throw new Error('its text does not suit its placeholders')
  const words = wordsOf[type](values, formatter)
  const block = <Kind extends Block['kind']>(kind: Kind) =>
    builtIn.blocks.find((one): one is Extract<Block, { kind: Kind }> => one.kind === kind)
  const [button, code] = [block('button'), block('code')]
  const blocks = {
    button: button && { ...button, label: text.button },
    users: block('list'),
    message: block('quote'),
    ...(code ? { code } : {}),
  }
  const subject = fillPlaceholders(text.subject, words)
  return { ...builtIn, subject, heading: subject, blocks: readMarkup(text.body, { words, blocks }) }
}
