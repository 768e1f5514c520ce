import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCan } from '#web/lib/can.tsx'
import { NoAccess } from '#web/lib/no-access.tsx'
import { useSignedIn } from '#web/lib/signed-in.tsx'
import { PageHeading } from '#web/ui/page.tsx'

/** The people of the current organisation, for its admins and for those of its services. */
export function UserAdministrationPage() {
  const { t } = useTranslation()
  const can = useCan()
  const { settled } = useSignedIn()
  if (!can('administerUsers')) return settled ? <NoAccess /> : null
  return (
    <>
      <PageHeading title={t('userAdministration')} />
      <Outlet />
    </>
  )
}
