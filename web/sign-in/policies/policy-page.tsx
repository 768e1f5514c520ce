import type { ComponentType, ReactNode } from 'react'
import type { Language } from '#contract/languages.ts'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import type { PolicyTextKey } from '../frame/policy-text-keys.ts'
import { usePublicPage } from '../frame/public-page.tsx'
import { translator } from '../frame/texts.ts'
import { usePartTexts } from '../frame/use-part-texts.ts'
import { loadPolicyTexts } from './policy-texts.ts'

/** Says a text of these pages; {{company}} is the one that operates the portal. */
type Say = (key: PolicyTextKey) => string

/** A page of text, with the texts that only these pages have. */
export const policyPage =
  (intro: PolicyTextKey, Content: ComponentType<{ say: Say }>) =>
  async (language: Language): Promise<ComponentType> => {
    const first = await loadPolicyTexts(language)
    return function PolicyPage() {
      const { t, title, data, language } = usePublicPage()
      const translate = translator(usePartTexts(loadPolicyTexts, first, language))
      const say: Say = (key) => translate(key, { company: data.companyName })
      return (
        <AuthCard large wide title={title} intro={say(intro)}>
          <Content say={say} />
          <a href="/">{t('goHome')}</a>
        </AuthCard>
      )
    }
  }

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** Where to write to. */
export function Contact() {
  const { data } = usePublicPage()
  return (
    <p>
      <a href={`mailto:${data.supportEmail}`}>{data.supportEmail}</a>
    </p>
  )
}
