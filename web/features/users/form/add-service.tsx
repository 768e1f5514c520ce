import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { organizations } from '#contract/organizations/organizations.ts'
import { query } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { AddField } from './add-field.tsx'
import { keyOf } from './belongings.ts'
import type { UserSchemaForm } from './person-fields.tsx'
import { useBelongings } from './use-belongings.ts'

interface AddServiceProps {
  form: UserSchemaForm
  names: Map<string, string>
  organizationId: string
  name: string
}

/** Adds a service of an organisation: any of them, or for a service admin only those that they administer. */
export function AddService({ form, names, organizationId, name }: AddServiceProps) {
  const { t } = useTranslation()
  const offered = useOffered(organizationId)
  const { setServiceRole } = useBelongings(form)
  const { id, label } = form.field(`services.${organizationId}`, t('addServiceIn', { name }))
  return (
    <AddField
      id={id}
      label={label}
      hideLabel
      placeholder={t('addServicePlaceholder')}
      emptyText={t('noServiceMatches')}
      options={offered}
      added={(serviceId) => Boolean(form.form.getValues('services')[keyOf({ organizationId, serviceId })])}
      addedMessage="serviceAlreadyAdded"
      onAdd={(option) => {
        names.set(option.value, option.label)
        setServiceRole(keyOf({ organizationId, serviceId: option.value }), 'regular')
      }}
    />
  )
}

function useOffered(organizationId: string) {
  const { t } = useTranslation()
  const can = useCan()
  const { adminServices } = useSignedIn()
  const enabled = can('assignServices', { organizationId })
  const all = useQuery({ ...query(organizations.services, { params: { id: organizationId } }), enabled })
  if (!enabled)
    return adminServices
      .filter((own) => own.organizationId === organizationId)
      .map(({ serviceId, name }) => ({ value: serviceId, label: name }))
  return (all.data ?? []).map(({ serviceId, name, maxNumberOfUsers: seats, seatsUsed: used = 0 }) => ({
    value: serviceId,
    label: name,
    hint: seats ? t('seatsUsedOf', { used, seats }) : undefined,
  }))
}
