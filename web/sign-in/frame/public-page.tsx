import { type ComponentType, createContext, use, useMemo, useRef, useState } from 'react'
import type { Language } from '#contract/languages.ts'
import type { PublicPage as PageName } from '#contract/sign-in/sign-in-page.ts'
import { languageNames, rememberLanguage } from '#web/lib/texts/language.ts'
import { TextsContext } from '#web/lib/texts/texts.ts'
import { useTitle } from '#web/lib/texts/title.ts'
import { AuthFrame } from '#web/ui/frame/auth-frame.tsx'
import { BrandLogo } from '#web/ui/frame/brand-logo.tsx'
import { ContactFooter } from '#web/ui/frame/contact-footer.tsx'
import { LanguageSelect } from '#web/ui/frame/language-select.tsx'
import { Logo } from '#web/ui/frame/logo.tsx'
import { QuarantineBanner } from '#web/ui/frame/quarantine-banner.tsx'
import { SkipLink } from '#web/ui/frame/skip-link.tsx'
import { type PageData, PageDataElement, ShowIf } from './page-data.tsx'
import styles from './public-page.module.css'
import type { TextKey } from './text-keys.ts'
import { loadTexts, messageText, type Texts, type Translate, translator } from './texts.ts'

interface PublicPageState {
  data: PageData
  language: Language
  t: Translate
  /** The text for a key that came over the wire. */
  messageText: (key: string) => string
  /** What the h1 says. */
  title: string
}

const PublicPageContext = createContext<PublicPageState | null>(null)

export function usePublicPage(): PublicPageState {
  const state = use(PublicPageContext)
  if (!state) throw new Error('usePublicPage outside PublicPage')
  return state
}

interface PublicPageProps {
  page: PageName
  title: TextKey
  Page: ComponentType
  data: PageData
  language: Language
  texts: Texts
}

/** A page of the light entry: frame, language, contact, and the page's own card. */
export function PublicPage({ page, title, Page, data, ...initial }: PublicPageProps) {
  const [{ language, texts }, setLanguage] = useState(initial)
  const spoken = useMemo(
    () => ({ language, t: translator(texts), messageText: (key: string) => messageText(texts, key) }),
    [language, texts],
  )
  const { t } = spoken
  useTitle(t(title), t)
  // Someone who comes from a service sees that it is the way to it.
  const heading = title === 'signIn' ? t('signInTo', { name: data.signInTo }) : t(title)

  const chosenLast = useRef(language)
  const switchLanguage = async (next: string) => {
    const chosen = next as Language
    chosenLast.current = chosen
    // Without a network the select shows the page's language again.
    const texts = await loadTexts(chosen).catch(() => undefined)
    // Another language was chosen while this one was loading.
    if (!texts || chosenLast.current !== chosen) return
    rememberLanguage(chosen)
    setLanguage({ language: chosen, texts })
  }

  return (
    <TextsContext value={spoken}>
      <PublicPageContext value={{ ...spoken, data, title: heading }}>
        <PageDataElement page={page} data={data} />
        <ShowIf data={data} name="quarantine">
          <QuarantineBanner text={t('quarantineBanner')} />
        </ShowIf>
        <SkipLink>{t('skipToContent')}</SkipLink>
        <AuthFrame
          productName={t('productName')}
          logo={
            <>
              <ShowIf data={data} name="ownLogo">
                <Logo size={40} name={t('productName')} />
              </ShowIf>
              <ShowIf data={data} name="logo">
                <BrandLogo name={data.brandName} logo={data.logo} darkLogo={data.darkLogo} plate={data.logoPlate} />
              </ShowIf>
            </>
          }
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
                links={[
                  { text: t('privacyTitle'), href: data.privacyUrl },
                  { text: t('accessibilityTitle'), href: data.accessibilityUrl },
                ]}
              />
            </div>
          }
        >
          <Page />
        </AuthFrame>
      </PublicPageContext>
    </TextsContext>
  )
}
