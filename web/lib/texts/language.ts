import { fallbackLanguage, type Language, languages } from '#contract/languages.ts'

const cookieName = 'language'
const oneYear = 365 * 24 * 60 * 60

const isSupported = (tag: string | undefined): tag is Language => languages.some((own) => own === tag)
const base = (tag: string) => tag.toLowerCase().split('-', 1)[0]

/** The language to begin with: the cookie's, else the browser's, else Swedish. */
export function detectLanguage(): Language {
  const cookie = document.cookie.match(/(?:^|; )language=([^;]*)/)?.[1]
  return [cookie ?? '', ...navigator.languages].map(base).find(isSupported) ?? fallbackLanguage
}

/** Remembers a language for the next visit, and tells the browser and screen readers the page's language. */
export function rememberLanguage(language: Language): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every supported browser
  document.cookie = `${cookieName}=${language}; Path=/; Max-Age=${oneYear}; SameSite=Lax${secure}`
  document.documentElement.lang = language
}

/** Every language by its own name. Written down, since a browser takes 25 ms to find out these four. */
const ownNames: Record<Language, string> = { sv: 'Svenska', en: 'English', fi: 'Suomi', fr: 'Français' }
export const languageNames = languages.map((value) => ({ value, name: ownNames[value] }))
