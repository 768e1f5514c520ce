import { useTranslation } from 'react-i18next'
import { Logo } from '#web/ui/logo.tsx'

/** The bar with nothing but the mark, as app.html draws it: while we do not know who is there, and after a crash. */
export function PlainBar() {
  const { t } = useTranslation()
  return (
    <header className="boot-bar">
      <Logo name={t('productName')} />
    </header>
  )
}
