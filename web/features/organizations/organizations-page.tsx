import { createLink, Outlet } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useTranslation } from 'react-i18next'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { Can } from '#web/lib/session/can.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { OrganizationsList } from './organizations-list.tsx'

const CreateLink = createLink(LinkButton)

/** All organisations; each opens in a dialog with its own address. */
export function OrganizationsPage() {
  const { t } = useTranslation()
  return (
    <AdministrationPage
      action={
        <Can do="manageOrganizations">
          <CreateLink
            to="/organization-settings/create"
            search={true}
            state={openedFromPage}
            variant="primary"
            icon={Plus}
          >
            {t('createOrganization')}
          </CreateLink>
        </Can>
      }
    >
      <OrganizationsList />
      <Outlet />
    </AdministrationPage>
  )
}
