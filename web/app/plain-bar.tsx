import { useTranslation } from 'react-i18next'
import { Logo } from '#web/ui/frame/logo.tsx'

/** The bar with only the logo, as in app.html: before the user is known, and after a crash. */
export function PlainBar() {
  const { t } = useTranslation()
  return (
    <header className="boot-bar">
      <Logo name={t('productName')} />
    </header>
  )
}
