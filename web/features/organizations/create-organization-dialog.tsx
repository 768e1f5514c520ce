import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { organizationLabels, organizations } from '#contract/organizations/organizations.ts'
import { type CloseDialog, openedFromPage, useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { call } from '#web/lib/requests/api.ts'
import { draftOf, formOf, organizationDraft } from './organization-draft.ts'
import { SettingsFields } from './settings-fields.tsx'

/** A new organisation, which opens when it is created: its services, its people and its sign-in are next. */
export function CreateOrganizationDialog() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const close = useCloseDialog('/organization-settings')
  const navigate = useNavigate()
  const opened = useLocation({ select: ({ state }) => state.openedFromPage })
  const made = useRef<string>(undefined)
  const onClose: CloseDialog = (why) => {
    if (made.current === undefined) return close(why)
    void navigate({
      to: '/organization-settings/$organizationId',
      params: { organizationId: made.current },
      search: true,
      replace: true,
      ignoreBlocker: true,
      ...(opened && { state: openedFromPage }),
    })
  }
  const dialog = useEntityDialog({
    schema: organizationDraft,
    labels: organizationLabels,
    draftOf,
    nameOf: ({ name }) => name,
    onClose,
    save: async (values) => {
      const { organizationId } = await call(organizations.create, { input: formOf(values) })
      made.current = organizationId
      void queries.invalidateQueries()
    },
  })
  return (
    <FormDialog {...dialog} title={t('createOrganization')}>
      <SettingsFields form={dialog.form} />
    </FormDialog>
  )
}
