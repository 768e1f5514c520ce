import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useCan } from '#web/lib/can.tsx'
import { FieldGroup } from '#web/ui/field-group.tsx'
import { AddOrganization } from './add-organization.tsx'
import { MembershipCard } from './membership-card.tsx'
import type { UserSchemaForm } from './person-fields.tsx'
import { SuperUserSwitch } from './super-user-switch.tsx'
import { useBelongings } from './use-belongings.ts'
import styles from './user-dialog.module.css'

interface UserPermissionsProps {
  form: UserSchemaForm
  /** Names of organisations and services by id; the draft has the ids alone. */
  names: Map<string, string>
  personName: string
  /** It is the reader. */
  own?: boolean
}

/** Super user or not, organisations with a role each, and in each the services with theirs. */
export function UserPermissions({ form, names, personName, own = false }: UserPermissionsProps) {
  const { t } = useTranslation()
  const can = useCan()
  const roles = useWatch({ control: form.form.control, name: 'roles' })
  const { setRole } = useBelongings(form)
  const manage = can('manageUsers')
  const present = Object.entries(roles).filter(([, role]) => role !== '')
  const focusAdding = () => document.getElementById(form.field('roles', t('addOrganization')).id)?.focus()
  return (
    <>
      {manage && <SuperUserSwitch form={form} personName={personName} own={own} />}
      <FieldGroup legend={t('organizations')}>
        {present.length === 0 && <p className={styles.none}>{t('inNoOrganization')}</p>}
        {present.map(([organizationId]) => (
          <MembershipCard
            key={organizationId}
            form={form}
            names={names}
            organizationId={organizationId}
            onRemove={
              manage
                ? () => {
                    setRole(organizationId, '')
                    focusAdding()
                  }
                : undefined
            }
          />
        ))}
        {manage && <AddOrganization form={form} names={names} />}
      </FieldGroup>
    </>
  )
}
