import { Link } from '@tanstack/react-router'
import Building2 from 'lucide-react/icons/building-complex'
import { useTranslation } from 'react-i18next'
import { Can } from '#web/lib/session/can.tsx'
import { Card } from '#web/ui/frame/page.tsx'
import { EmptyState } from '#web/ui/state.tsx'

/** Shown when the user may not administer the selected organisation, or has selected none. */
export function NothingToAdminister({ organization }: { organization: string | undefined }) {
  const { t } = useTranslation()
  return (
    <Card>
      <EmptyState
        icon={Building2}
        action={
          <Can do="manageUsers">
            <Link to="/users">{t('toAllUsers')}</Link>
          </Can>
        }
      >
        {organization ? t('nothingToAdminister', { name: organization }) : t('noOrganizationOfYours')}
      </EmptyState>
    </Card>
  )
}
