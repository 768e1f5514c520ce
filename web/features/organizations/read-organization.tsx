import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { organizationLabels, organizations } from '#contract/organizations/organizations.ts'
import { useHistoryTab } from '#web/features/audit-events/audit-events.tsx'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { query } from '#web/lib/requests/query.ts'
import { useLoginMethodName } from '#web/lib/texts/login-methods.ts'
import { Button } from '#web/ui/button.tsx'
import { DescriptionList } from '#web/ui/description-list.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { PeopleTab } from './people-tab.tsx'

interface ReadOrganizationProps {
  organizationId: string
  onClose: CloseDialog
  /** The dialog of a user, above this one. */
  nested: ReactNode
  /** Opens on the users tab. */
  showPeople: boolean
}

/** An organisation for who reads all of them and changes none. */
export function ReadOrganization({ organizationId, onClose, nested, showPeople }: ReadOrganizationProps) {
  const { t } = useTranslation()
  const methodName = useLoginMethodName()
  const found = useQuery(query(organizations.read, { params: { id: organizationId } }))
  const [tab, setTab] = useState(showPeople ? 'users' : 'settings')
  const [seen, setSeen] = useState(showPeople)
  const history = useHistoryTab(organizationId, tab === 'history')
  const days = (count: number) => `${count} ${t('daysUnit')}`
  return (
    <LoadingDialog query={found} size="full" title={t('organization')} onClose={onClose}>
      {({ name, organizationNumber, loginMethod, maxPassiveDays, guestDays, services }) => (
        <Dialog
          open
          size="full"
          title={t('organization')}
          subtitle={name}
          closeLabel={t('close')}
          onClose={onClose}
          footer={<Button onClick={() => onClose()}>{t('close')}</Button>}
        >
          <Tabs
            label={t('organization')}
            value={tab}
            onChange={(next) => {
              setTab(next)
              setSeen(seen || next === 'users')
            }}
            tabs={[
              {
                value: 'settings',
                label: t('organizationSettings'),
                panel: (
                  <DescriptionList
                    items={[
                      { term: t(organizationLabels.name), value: name },
                      { term: t(organizationLabels.organizationNumber), value: organizationNumber ?? '–' },
                      { term: t(organizationLabels.loginMethod), value: loginMethod ? methodName(loginMethod) : '–' },
                      {
                        term: t(organizationLabels.maxPassiveDays),
                        value: maxPassiveDays === undefined ? '–' : days(maxPassiveDays),
                      },
                      { term: t(organizationLabels.guestDays), value: guestDays ? days(guestDays) : '–' },
                      { term: t('services'), value: services.map((one) => one.name).join(', ') || '–' },
                    ]}
                  />
                ),
              },
              {
                value: 'users',
                label: t('users'),
                panel: seen && <PeopleTab organization={{ organizationId, name }} />,
              },
              ...history,
            ]}
          />
          {nested}
        </Dialog>
      )}
    </LoadingDialog>
  )
}
