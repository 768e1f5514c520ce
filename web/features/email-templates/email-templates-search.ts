import { type EmailTemplateType, emailTemplateTypes } from '#contract/email-templates.ts'
import { type Language, languages } from '#contract/languages.ts'

export const templateViews = ['desktop', 'phone', 'text'] as const
export type TemplateView = (typeof templateViews)[number]

/** What the page keeps in its address. A default is undefined. */
export interface EmailTemplatesSearch {
  /** Default: `user-invite`. */
  type?: EmailTemplateType | undefined
  /** Default: the language of the page. */
  language?: Language | undefined
  /** Default: `desktop`. */
  view?: Exclude<TemplateView, 'desktop'> | undefined
}

export const emailTemplatesSearch = (search: Record<string, unknown>): EmailTemplatesSearch => ({
  type: emailTemplateTypes.find((type) => type === search.type && type !== 'user-invite'),
  language: languages.find((language) => language === search.language),
  view: templateViews.find((view) => view !== 'desktop' && view === search.view) as EmailTemplatesSearch['view'],
})
