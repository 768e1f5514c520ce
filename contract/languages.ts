/** The languages of the portal; Swedish is the source and the fallback. No schemas here, so that the light pages stay small. */
export const languages = ['sv', 'en', 'fi', 'fr'] as const
export type Language = (typeof languages)[number]
export const fallbackLanguage: Language = 'sv'

/** The locales of dates: plain `en` would put the month before the day. */
export const dateLocales: Record<Language, string> = { sv: 'sv', en: 'en-GB', fi: 'fi', fr: 'fr' }
