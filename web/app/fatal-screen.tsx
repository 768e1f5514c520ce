import { useTranslation } from 'react-i18next'
import { useTitle } from '#web/lib/texts/title.ts'
import { Button } from '#web/ui/button.tsx'
import { AppFrame } from '#web/ui/frame/page.tsx'
import { MessagePage } from '#web/ui/state.tsx'
import { Footer } from './footer.tsx'
import { PlainBar } from './plain-bar.tsx'

/** The app has crashed or cannot start: say so, offer the way out, and name what support needs. */
export function FatalScreen({ reference }: { reference?: string | undefined }) {
  const { t } = useTranslation()
  useTitle(t('serverError'), t)
  return (
    <AppFrame skipLink={null} topBar={<PlainBar />} footer={<Footer />}>
      <div role="alert">
        <MessagePage
          title={t('serverError')}
          action={
            <Button variant="primary" onClick={() => location.reload()}>
              {t('reload')}
            </Button>
          }
        >
          <p>{t('somethingWentWrong')}</p>
          {reference && <p>{t('referenceId', { id: reference })}</p>}
        </MessagePage>
      </div>
    </AppFrame>
  )
}
