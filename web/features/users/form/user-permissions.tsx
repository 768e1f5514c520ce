import { lazy, Suspense } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import styles from '../user-dialog.module.css'
import { AddOrganization } from './add-organization.tsx'
import { EndsOfDraft } from './ends-of-draft.tsx'
import { MembershipCard } from './membership-card.tsx'
import type { UserSchemaForm } from './person-fields.tsx'
import { SuperUserSwitch } from './super-user-switch.tsx'
import { useBelongings } from './use-belongings.ts'

// For super users alone.
const PortalRoleFields = lazy(async () => ({
  default: (await import('./portal-role-fields.tsx')).PortalRoleFields,
}))

interface UserPermissionsProps {
  form: UserSchemaForm
  /** Names of organisations and services by id; the draft contains only the ids. */
  names: Map<string, string>
  personName: string
  /** Of somebody who has an account. */
  accountId?: string | undefined
  /** May change the super user status and the list of organisations. */
  manage: boolean
  /** Keys of the services that groups alone give. */
  byGroups?: ReadonlySet<string>
  /** The user is the signed-in user. */
  own?: boolean
  /** The user has not accepted the invitation yet, so permissions apply on acceptance. */
  invited?: boolean
}

/** Super user status, the role in the portal, organisations with roles, and in each the services with roles. */
export function UserPermissions(props: UserPermissionsProps) {
  const { form, names, personName, accountId, manage, byGroups, own = false, invited = false } = props
  const { t } = useTranslation()
  const roles = useWatch({ control: form.form.control, name: 'roles' })
  const { setRole } = useBelongings(form)
  const present = Object.entries(roles).filter(([, role]) => role !== '')
  const focusAdding = () => document.getElementById(form.field('roles', t('addOrganization')).id)?.focus()
  return (
    <>
      {manage && <SuperUserSwitch form={form} personName={personName} own={own} />}
      {manage && !own && (
        <Suspense fallback={<Skeleton shape="control" />}>
          <PortalRoleFields form={form} />
        </Suspense>
      )}
      {accountId && !invited && <EndsOfDraft form={form} accountId={accountId} />}
      {invited && <p className={styles.none}>{t('invitationWaitsText')}</p>}
      <FieldGroup legend={t('organizations')}>
        {present.length === 0 && <p className={styles.none}>{t('inNoOrganization')}</p>}
        {present.map(([organizationId]) => (
          <MembershipCard
            key={organizationId}
            form={form}
            names={names}
            organizationId={organizationId}
            invited={invited}
            byGroups={byGroups}
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
