import Trash2 from 'lucide-react/icons/trash'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { OrganizationRole } from '#contract/roles.ts'
import { useCan, useGivesAdminRole } from '#web/lib/session/can.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import styles from '../user-dialog.module.css'
import { AddService } from './add-service.tsx'
import { keyOf, servicesOf } from './belongings.ts'
import { PeriodFields } from './period-fields.tsx'
import type { UserSchemaForm } from './person-fields.tsx'
import { ServiceRow } from './service-row.tsx'
import { useBelongings } from './use-belongings.ts'

interface MembershipCardProps {
  form: UserSchemaForm
  names: Map<string, string>
  organizationId: string
  /** The invitation is not accepted. */
  invited: boolean
  /** Keys of the services that groups alone give. */
  byGroups?: ReadonlySet<string> | undefined
  onRemove?: (() => void) | undefined
}

/** An organisation of the user, with the role and the services there. */
export function MembershipCard({ form, names, organizationId, invited, byGroups, onRemove }: MembershipCardProps) {
  const { t } = useTranslation()
  const givesAdminRole = useGivesAdminRole()
  const can = useCan()
  const [roles, services, days] = useWatch({ control: form.form.control, name: ['roles', 'services', 'days'] })
  const { setRole } = useBelongings(form)
  const name = names.get(organizationId) ?? ''
  const own = servicesOf({ roles, services, days }, organizationId)
  const adding = form.field(`services.${organizationId}`, t('addServiceIn', { name }))
  return (
    <fieldset className={styles.card}>
      <legend className="vh">{name}</legend>
      <div className={styles.row}>
        <span className={styles.name}>{name}</span>
        {givesAdminRole(organizationId) ? (
          <Field {...form.field(`roles.${organizationId}`, t('roleInOrganization', { name }))} hideLabel>
            <Select
              value={roles[organizationId]}
              onChange={(event) => setRole(organizationId, event.target.value as OrganizationRole)}
            >
              <option value="regular">{t('roleRegular')}</option>
              <option value="organizationAdmin">{t('roleOrganizationAdmin')}</option>
            </Select>
          </Field>
        ) : (
          <span className={styles.role}>
            {t(roles[organizationId] === 'organizationAdmin' ? 'roleOrganizationAdmin' : 'roleRegular')}
          </span>
        )}
        {onRemove && <IconButton icon={Trash2} label={t('takeAway', { name })} onClick={onRemove} />}
      </div>
      {own.length === 0 ? (
        <p className={styles.none}>{t('noServicesHere')}</p>
      ) : (
        <ul className={styles.services}>
          {own.map((service) => (
            <ServiceRow
              key={service.serviceId}
              form={form}
              service={service}
              name={names.get(service.serviceId) ?? ''}
              organization={name}
              byGroup={byGroups?.has(keyOf(service)) ?? false}
              onRemoved={() => document.getElementById(adding.id)?.focus()}
            />
          ))}
        </ul>
      )}
      <PeriodFields
        form={form}
        organizationId={organizationId}
        services={own.filter((service) => !byGroups?.has(keyOf(service)))}
        names={names}
        invited={invited}
      />
      {can('handOutServices', { organizationId }) && (
        <AddService form={form} names={names} organizationId={organizationId} name={name} />
      )}
    </fieldset>
  )
}
