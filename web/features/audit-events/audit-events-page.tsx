import { createLink, Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { useCan } from '#web/lib/session/can.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { FormActions } from '#web/ui/frame/page.tsx'
import { AuditEventsList } from './audit-events-list.tsx'
import { ExportMenu } from './export-menu.tsx'

const StreamsLink = createLink(LinkButton)

/** The audit log; each event opens in a dialog with its own address. */
export function AuditEventsPage() {
  const { t } = useTranslation()
  const can = useCan()
  return (
    <AdministrationPage
      action={
        <FormActions>
          {can('manageAuditStreams') && <StreamsLink to="/audit-streams">{t('auditStreams')}</StreamsLink>}
          <ExportMenu />
        </FormActions>
      }
    >
      <AuditEventsList />
      <Outlet />
    </AdministrationPage>
  )
}
