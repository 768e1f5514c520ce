import { useTranslation } from 'react-i18next'
import { OrganizationField } from '#web/lib/forms/organization-field.tsx'
import { useCan } from '#web/lib/session/can.tsx'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'

interface EventOrganizationFieldProps {
  value: string | undefined
  onChoose: (organizationId: string | undefined) => void
}

/** Any organisation for super users; those of an admin, who needs no choice among one. */
export function EventOrganizationField({ value, onChoose }: EventOrganizationFieldProps) {
  const { t } = useTranslation()
  const can = useCan()
  const { organizations = [] } = useSignedIn()
  const own = organizations.filter((own) => can('readAudit', own))
  if (can('readAllAuditEvents')) return <OrganizationField value={value} onChoose={onChoose} />
  if (own.length < 2) return null
  return (
    <Field label={t('organization')}>
      <Select value={value ?? ''} onChange={(event) => onChoose(event.target.value || undefined)}>
        <option value="">{t('filterAny')}</option>
        {own.map(({ organizationId, name }) => (
          <option key={organizationId} value={organizationId}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  )
}
