/** The languages of the portal; Swedish is the source and the fallback. Without schemas, for the light pages' sake. */
export const languages = ['sv', 'en', 'fi', 'fr'] as const
export type Language = (typeof languages)[number]
export const fallbackLanguage: Language = 'sv'
