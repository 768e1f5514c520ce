import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServiceClient } from '#contract/service-clients/service-clients.ts'
import { type Service, type ServiceForm, serviceForm, serviceLabels, services } from '#contract/services/services.ts'
import { useHistoryTab } from '#web/features/audit-events/audit-events.tsx'
import { DeleteFlow } from '#web/lib/dialogs/delete-flow.tsx'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { draftFrom } from '#web/lib/forms/draft.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { ClientFields } from './client/client-fields.tsx'
import { ClientSecrets, NewSecret } from './client/client-secrets.tsx'
import { DeveloperValues } from './client/developer-values.tsx'
import { SignOuts } from './client/sign-outs.tsx'
import { TestLogout } from './client/test-logout.tsx'
import { TrySignIn } from './client/try-sign-in.tsx'
import { useClientForm } from './client/use-client-form.ts'
import { newService, ServiceFields } from './service-fields.tsx'

export const readService = (id: string) => freshQuery(services.read, { params: { id } })

export const serviceDraft = {
  schema: serviceForm,
  labels: serviceLabels,
  draftOf: (service: Partial<Service>) => draftFrom(newService, service),
  nameOf: ({ name }: ServiceForm) => name,
}

interface EditServiceProps {
  service: Service
  client: ServiceClient
  onClose: CloseDialog
}

/** A service, and how people sign in to it: two forms in one dialog, each saved by itself. */
export function EditService({ service, client, onClose }: EditServiceProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [tab, setTab] = useState('service')
  const update = useSave(services.update, { inline: true })
  const { serviceId, name } = service
  const signIn = useClientForm(serviceId, client)
  const dialog = useEntityDialog({
    ...serviceDraft,
    entity: service,
    reload: () => queries.fetchQuery(readService(serviceId)),
    // What was typed into the other form is not lost.
    onClose: (why) => (why?.saved && signIn.form.dirty ? setTab('signIn') : onClose(why)),
    save: (input, { version }) => update.mutateAsync({ input: { ...input, serviceId, version } }),
  })
  const errors = (form: { errors: readonly unknown[] }) => ({
    count: form.errors.length,
    text: t('tabErrors', { count: form.errors.length }),
  })
  const shown = {
    size: 'full' as const,
    title: t('editService'),
    subtitle: name,
    onClose,
    saveLabel: ['developers', 'try', 'signOuts', 'history'].includes(tab) ? undefined : t('save'),
    footerStart: tab === 'service' && <DeleteService service={service} onClose={onClose} />,
  }
  const history = useHistoryTab(serviceId, tab === 'history')
  const dirty = dialog.form.dirty || signIn.form.dirty
  const children = (
    <>
      <Tabs
        label={t('editService')}
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'service',
            label: t('service'),
            panel: <ServiceFields form={dialog.form} />,
            errors: errors(dialog.form),
          },
          {
            value: 'signIn',
            label: t('signInTab'),
            panel: (
              <>
                <ClientFields
                  form={signIn.form}
                  logoutTest={client.backchannelLogoutUri && <TestLogout serviceId={serviceId} />}
                />
                <ClientSecrets serviceId={serviceId} client={client} onMade={signIn.showSecret} />
              </>
            ),
            errors: errors(signIn.form),
          },
          { value: 'developers', label: t('developersTab'), panel: <DeveloperValues client={client} /> },
          ...(client.clientId === null
            ? []
            : [
                {
                  value: 'try',
                  label: t('tryTab'),
                  panel: <TrySignIn key={client.version} serviceId={serviceId} client={client} />,
                },
                {
                  value: 'signOuts',
                  label: t('signOutsTab'),
                  panel: tab === 'signOuts' && (
                    <SignOuts serviceId={serviceId} inBrowser={client.frontchannelLogoutUri !== null} />
                  ),
                },
              ]),
          ...history,
        ]}
      />
      {signIn.newSecret && <NewSecret secret={signIn.newSecret} onClose={() => signIn.showSecret(undefined)} />}
      <ConfirmDialog
        open={Boolean(signIn.question)}
        title={t('removeClientTitle')}
        cancelLabel={t('cancel')}
        confirmLabel={t('remove')}
        onCancel={() => signIn.question?.answer(false)}
        onConfirm={() => signIn.question?.answer(true)}
      >
        {t('removeClientText', { name })}
      </ConfirmDialog>
    </>
  )
  return tab === 'service' ? (
    <FormDialog {...shown} form={{ ...dialog.form, dirty }}>
      {children}
    </FormDialog>
  ) : (
    <FormDialog {...shown} form={{ ...signIn.form, dirty }}>
      {children}
    </FormDialog>
  )
}

function DeleteService({ service: { serviceId, name }, onClose }: { service: Service; onClose: CloseDialog }) {
  const { t } = useTranslation()
  const remove = useSave(services.remove, { inline: true })
  return (
    <DeleteFlow
      name={name}
      text={t('deleteServiceText')}
      inUse={{
        message: 'serviceInUse',
        title: t('deleteServiceInUseTitle', { name }),
        text: t('deleteServiceInUseText'),
      }}
      remove={(query) => remove.mutateAsync({ params: { id: serviceId }, query })}
      onClose={onClose}
    />
  )
}
