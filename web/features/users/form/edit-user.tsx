import { lazy, Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '#contract/users/users.ts'
import { useHistoryTab } from '#web/features/audit-events/audit-events.tsx'
import { GroupsOfPerson } from '#web/features/groups/groups.tsx'
import { PendingInvitation } from '#web/features/invitations/invitations.tsx'
import { MoreRoles } from '#web/features/organization-roles/organization-roles.tsx'
import { RolesOfPerson } from '#web/features/service-roles/service-roles.tsx'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { useCan } from '#web/lib/session/can.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { ExtendAccess } from '../actions/extend-access.tsx'
import { UserActions } from '../actions/user-actions.tsx'
import type { UserInContext } from '../read-user.ts'
import { useAbilities } from '../use-abilities.ts'
import { nameOf } from '../user-name.ts'
import { UserStatus } from '../user-status.tsx'
import { keyOf } from './belongings.ts'
import { CannotEnter } from './cannot-enter.tsx'
import { useDescribeUser } from './use-describe-user.ts'
import { useFormTabs } from './use-form-tabs.ts'
import { useUserDialog } from './use-user-dialog.ts'
import { UserGeneral } from './user-general.tsx'
import { UserPermissions } from './user-permissions.tsx'

// For an address that nobody has proven alone.
const UnprovenDialog = lazy(async () => ({ default: (await import('./unproven-dialog.tsx')).UnprovenDialog }))

interface EditUserProps {
  user: User
  context: UserInContext
  backLabel?: string | undefined
  onClose: CloseDialog
}

export function EditUser({ user, context, backLabel, onClose }: EditUserProps) {
  const { t } = useTranslation()
  const can = useCan()
  const may = useAbilities(user)
  const name = nameOf(user)
  const names = useNames(user)
  const { dialog, question, unproven } = useUserDialog(user, context, onClose)
  const { form } = dialog
  const describe = useDescribeUser(names)
  const { tab, choose, reveal, errorsIn } = useFormTabs(form)
  const history = useHistoryTab(user.accountId, tab === 'history')
  const home = user.organizations.find((one) => one.organizationId === context.organizationId)
  const inviter = home ?? user.organizations[0]
  // An invitation belongs to one organisation, so use that one wherever the user was opened.
  const place = may.invited ? inviter : home
  const general = <UserGeneral form={form} user={user} may={may} beside={form.beside} />
  const { manage, own, invited } = may
  const permissions = (
    <>
      <UserPermissions
        {...{ form, names, manage, own, invited }}
        personName={name}
        accountId={user.accountId}
        byGroups={new Set(user.services.filter(({ source }) => source === null).map(keyOf))}
      />
      {!invited && <MoreRoles person={{ accountId: user.accountId, name, organizations: user.organizations }} />}
      <RolesOfPerson person={user} />
      <GroupsOfPerson person={user} />
    </>
  )
  return (
    <FormDialog
      {...dialog}
      form={{ ...form, saving: form.saving && !unproven }}
      title={name}
      subtitle={
        <>
          {user.email !== name && user.email}
          <UserStatus user={user} />
        </>
      }
      backLabel={backLabel}
      footerStart={
        <UserActions
          user={user}
          may={may}
          organization={place && can('removePeople', place) ? place : undefined}
          onClose={onClose}
        />
      }
      saveLabel={manage || may.details || may.change ? dialog.saveLabel : undefined}
      notice={
        <>
          {(user.pending || user.awaitsSignIn) && inviter && (
            <PendingInvitation email={user.email} organization={inviter} onReplaced={() => onClose({ saved: true })} />
          )}
          <CannotEnter organizations={user.organizations} />
          {!may.invited &&
            !own &&
            (home ? [home] : user.organizations)
              .filter((one) => can('editPeople', one))
              .map((one) => (
                <ExtendAccess key={one.organizationId} user={user} organization={one} beside={form.beside} />
              ))}
        </>
      }
      describe={describe}
      reveal={reveal}
    >
      {may.permissions ? (
        <Tabs
          label={name}
          value={tab}
          onChange={choose}
          tabs={[
            { value: 'general', label: t('general'), panel: general, errors: errorsIn('general') },
            { value: 'permissions', label: t('permissions'), panel: permissions, errors: errorsIn('permissions') },
            ...history,
          ]}
        />
      ) : (
        <>
          {general}
          {may.change && permissions}
        </>
      )}
      {question}
      {unproven && (
        <Suspense>
          <UnprovenDialog question={unproven} />
        </Suspense>
      )}
    </FormDialog>
  )
}

/** Names by id of every organisation and service that the user has had since the dialog was opened. */
function useNames({ organizations, services }: User): Map<string, string> {
  const { current: names } = useRef(new Map<string, string>())
  for (const { organizationId, name } of organizations) names.set(organizationId, name)
  for (const { serviceId, name } of services) names.set(serviceId, name)
  return names
}
