/** The languages of the portal; Swedish is the source and the fallback. Without schemas, for the light pages' sake. */
export const languages = ['sv', 'en', 'fi', 'fr'] as const
export type Language = (typeof languages)[number]
export const fallbackLanguage: Language = 'sv'

/** What dates are written by: plain `en` would write them the American way, the month before the day. */
export const dateLocales: Record<Language, string> = { sv: 'sv', en: 'en-GB', fi: 'fi', fr: 'fr' }
