import { useTranslation } from 'react-i18next'
import type { Language } from '#contract/roles.ts'
import { type Failure, LoadingFailure } from '#web/lib/requests/loaded.tsx'
import { chooseLanguage } from '#web/lib/session/own-language.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { languageNames } from '#web/lib/texts/language.ts'
import { useTitle } from '#web/lib/texts/title.ts'
import { AuthCard, AuthFrame } from '#web/ui/frame/auth-frame.tsx'
import { LanguageSelect } from '#web/ui/frame/language-select.tsx'
import { AppFrame } from '#web/ui/frame/page.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Footer } from './footer.tsx'
import { PlainBar } from './plain-bar.tsx'

/** Before the user is known: the outline of the bar, as in app.html. */
export function FrameLoading() {
  const { t } = useTranslation()
  useTitle(undefined, t)
  return (
    <AppFrame skipLink={null} topBar={<PlainBar />} footer={null}>
      <SkeletonGroup label={t('loading')}>
        <Skeleton shape="title" width="half" />
      </SkeletonGroup>
    </AppFrame>
  )
}

/** The user could not be loaded. */
export function FrameError(failure: Failure) {
  const { t } = useTranslation()
  const language = useLanguage()
  useTitle(t('serverError'), t)
  return (
    <AuthFrame
      productName={t('productName')}
      corner={
        <LanguageSelect
          label={t('language')}
          languages={languageNames}
          value={language}
          onChange={(chosen) => void chooseLanguage(chosen as Language)}
        />
      }
      footer={<Footer />}
    >
      <AuthCard title={t('serverError')}>
        <LoadingFailure {...failure} />
      </AuthCard>
    </AuthFrame>
  )
}
