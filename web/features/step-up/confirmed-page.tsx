import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Card, PageHeading } from '#web/ui/frame/page.tsx'

/** The proof in this window is done; the other one has noticed. */
export function ConfirmedPage() {
  const { t } = useTranslation()
  // A sign-in elsewhere on the way may have cut the tie to the page that opened this window: then the text says what to do.
  useEffect(() => {
    if (opener) close()
  }, [])
  return (
    <>
      <PageHeading title={t('confirmedTitle')} />
      <Card narrow>
        <p>{t('confirmedText')}</p>
      </Card>
    </>
  )
}
