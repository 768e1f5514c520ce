import { type ComponentType, createContext, use, useEffect, useMemo, useRef, useState } from 'react'
import type { Language } from '#contract/languages.ts'
import type { PublicPage as PageName } from '#contract/sign-in-page.ts'
import { languageNames, rememberLanguage } from '#web/lib/language.ts'
import { AuthFrame } from '#web/ui/auth-frame.tsx'
import { ContactFooter } from '#web/ui/contact-footer.tsx'
import { LanguageSelect } from '#web/ui/language-select.tsx'
import { SkipLink } from '#web/ui/skip-link.tsx'
import { type PageData, PageDataElement } from './page-data.tsx'
import { pages } from './pages.ts'
import styles from './public-page.module.css'
import { loadTexts, messageText, type Texts, type Translate, translator } from './texts.ts'

interface PublicPageState {
  data: PageData
  language: Language
  t: Translate
  /** The text for a key that came over the wire. */
  messageText: (key: string) => string
  /** What the window's title and the h1 say. */
  title: string
}

const PublicPageContext = createContext<PublicPageState | null>(null)

export function usePublicPage(): PublicPageState {
  const state = use(PublicPageContext)
  if (!state) throw new Error('usePublicPage outside PublicPage')
  return state
}

/** Keeps the window's title, "Sign in – Vestibule", with "Error:" in front while something is to be corrected. */
export function useWindowTitle(wrong = false): void {
  const { title, t } = usePublicPage()
  useEffect(() => {
    document.title = `${wrong ? `${t('errorTitlePrefix')} ` : ''}${title} – ${t('productName')}`
  }, [wrong, title, t])
}

interface PublicPageProps {
  page: PageName
  Page: ComponentType
  data: PageData
  language: Language
  texts: Texts
}

/** A page of the light entry: frame, language, contact, and the page's own card. */
export function PublicPage({ page, Page, data, ...initial }: PublicPageProps) {
  const [{ language, texts }, speak] = useState(initial)
  const t = useMemo(() => translator(texts), [texts])
  const { title } = pages[page]

  const chosenLast = useRef(language)
  const switchLanguage = async (next: string) => {
    const chosen = next as Language
    chosenLast.current = chosen
    // Without a network the select springs back to the language that the page is in.
    const texts = await loadTexts(chosen).catch(() => undefined)
    // What comes after another one was chosen comes too late.
    if (!texts || chosenLast.current !== chosen) return
    rememberLanguage(chosen)
    speak({ language: chosen, texts })
  }

  return (
    <PublicPageContext value={{ data, language, t, title: t(title), messageText: (key) => messageText(texts, key) }}>
      <PageDataElement page={page} data={data} />
      <SkipLink>{t('skipToContent')}</SkipLink>
      <AuthFrame
        productName={t('productName')}
        corner={
          <div className={styles.needsScript}>
            <LanguageSelect
              label={t('language')}
              languages={languageNames}
              value={language}
              onChange={(next) => void switchLanguage(next)}
            />
          </div>
        }
        footer={
          <div className={styles.contact}>
            <ContactFooter
              heading={data.companyName}
              text={t('contactUs')}
              email={{ text: data.supportEmail, address: data.supportEmail }}
              phone={{ text: data.supportPhone, number: data.supportNumber }}
            />
          </div>
        }
      >
        <Page />
      </AuthFrame>
    </PublicPageContext>
  )
}
