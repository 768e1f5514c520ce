import { type EmailTemplateType, emailTemplateTypes } from '#contract/email-templates/email-templates.ts'
import { id } from '#contract/fields/fields.ts'
import { type Language, languages } from '#contract/languages.ts'

/** `sms`: the text message, for login codes alone. */
export const templateViews = ['desktop', 'phone', 'text', 'sms'] as const
export type TemplateView = (typeof templateViews)[number]

/** What the page keeps in its address. A default is undefined. */
export interface EmailTemplatesSearch {
  /** Default: `user-invite`. */
  type?: EmailTemplateType | undefined
  /** Default: the language of the page. */
  language?: Language | undefined
  /** Default: `desktop`. */
  view?: Exclude<TemplateView, 'desktop'> | undefined
  /** Whose mails; default: all organisations. */
  organizationId?: string | undefined
  /** `true` while the text is being changed. */
  edit?: 'true' | undefined
}

export const emailTemplatesSearch = (search: Record<string, unknown>): EmailTemplatesSearch => ({
  type: emailTemplateTypes.find((type) => type === search.type && type !== 'user-invite'),
  language: languages.find((language) => language === search.language),
  view: templateViews.find((view) => view !== 'desktop' && isView(view, search)) as EmailTemplatesSearch['view'],
  organizationId: id.safeParse(search.organizationId).data,
  edit: search.edit === 'true' ? 'true' : undefined,
})

const isView = (view: TemplateView, search: Record<string, unknown>) =>
  view === search.view && (view !== 'sms' || search.type === 'login-code')
