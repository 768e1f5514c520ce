import { Outlet } from '@tanstack/react-router'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { AuditEventsList } from './audit-events-list.tsx'

/** The audit log; each event opens in a dialog with its own address. */
export function AuditEventsPage() {
  return (
    <AdministrationPage>
      <AuditEventsList />
      <Outlet />
    </AdministrationPage>
  )
}
