import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Card, PageHeading } from '#web/ui/frame/page.tsx'

/** The proof in this window is done; the other one has noticed. */
export function ConfirmedPage() {
  const { t } = useTranslation()
  // Only works in a window that a page has opened; otherwise the text says what to do.
  useEffect(() => close(), [])
  return (
    <>
      <PageHeading title={t('confirmedTitle')} />
      <Card narrow>
        <p>{t('confirmedText')}</p>
      </Card>
    </>
  )
}
