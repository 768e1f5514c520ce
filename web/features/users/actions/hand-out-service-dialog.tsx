import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { email } from '#contract/fields/fields.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import type { Membership } from '#contract/session/session.ts'
import { users } from '#contract/users/users.ts'
import { type CloseDialog, useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Can, useCan } from '#web/lib/session/can.tsx'
import { useCurrentOrganization } from '#web/lib/session/signed-in.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

const route = getRouteApi('/user-administration/hand-out/$serviceId')
const schema = z.object({ email, serviceAdmin: z.boolean() })
type Draft = z.infer<typeof schema>

/** Assigns a service to a colleague by email address, so the admin needs no access to a list of users. */
export function HandOutServiceDialog() {
  const { serviceId } = route.useParams()
  const { membership } = useCurrentOrganization()
  const can = useCan()
  const target = membership && { organizationId: membership.organizationId, serviceId }
  // The page below shows the error when the user may not hand out this service or has no such organisation.
  if (!membership || !can('handOutService', target)) return null
  return <NamedService key={serviceId} organization={membership} serviceId={serviceId} />
}

function NamedService({ organization, serviceId }: { organization: Membership; serviceId: string }) {
  const { t } = useTranslation()
  const onClose = useCloseDialog('/user-administration')
  const offered = useQuery(query(organizations.services, { params: { id: organization.organizationId } }))
  return (
    <LoadingDialog query={offered} size="small" title={t('handOutService')} onClose={onClose}>
      {(services) => {
        const service = services.find((one) => one.serviceId === serviceId)
        return service && <HandOut organization={organization} service={service} onClose={onClose} />
      }}
    </LoadingDialog>
  )
}

interface HandOutProps {
  organization: Membership
  service: { serviceId: string; name: string }
  onClose: CloseDialog
}

function HandOut({ organization: { organizationId, name }, service, onClose }: HandOutProps) {
  const { t } = useTranslation()
  const { mutateAsync } = useSave(users.assignService, { inline: true })
  const form = useSchemaForm<Draft, Draft>({
    schema,
    labels: { email: 'email', serviceAdmin: 'makeServiceAdmin' },
    values: { email: '', serviceAdmin: false },
    save: async ({ email, serviceAdmin }) => {
      const input = { email, userRole: serviceAdmin ? ('serviceAdmin' as const) : ('regular' as const) }
      await mutateAsync({ params: { serviceId: service.serviceId, organizationId }, input }).catch(atAddress)
      toasts.show({ tone: 'success', title: t('serviceHandedOut', { name: email, service: service.name }) })
      onClose({ saved: true })
    },
  })
  return (
    <FormDialog
      form={form}
      size="small"
      title={t('handOutServiceNamed', { service: service.name })}
      subtitle={name}
      onClose={onClose}
      initialFocus="first"
      saveLabel={t('handOutService')}
    >
      <Field {...form.field('email')} hint={t('handOutServiceHint', { name })}>
        <TextInput type="email" autoComplete="off" spellCheck={false} {...form.register('email')} />
      </Field>
      <Can do="appointServiceAdmins" to={{ organizationId, serviceId: service.serviceId }}>
        <Checkbox
          label={form.labelOf('serviceAdmin')}
          hint={t('makeServiceAdminHint')}
          {...form.register('serviceAdmin')}
        />
      </Can>
    </FormDialog>
  )
}

const noSuchColleague: MessageKey = 'noSuchColleague'

/** Shows an unknown address as an error of the field. */
function atAddress(error: unknown): never {
  if (!(error instanceof ApiProblem) || error.status !== 404) throw error
  throw new ApiProblem(404, error.message, { issues: [{ path: 'email', message: noSuchColleague }] })
}
