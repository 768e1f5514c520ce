import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AdministrationPage } from '#web/lib/administration-page.tsx'

/** Everybody, for super users; each opens in a dialog with an address of its own. */
export function UsersPage() {
  const { t } = useTranslation()
  return (
    <AdministrationPage permission="manageUsers" title={t('users')}>
      <Outlet />
    </AdministrationPage>
  )
}
