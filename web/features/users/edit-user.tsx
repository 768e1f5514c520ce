import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '#contract/users.ts'
import { PendingInvitation } from '#web/features/invitations/invitations.tsx'
import { useCan } from '#web/lib/can.tsx'
import { ChangedByOthers } from '#web/lib/changed-by-others.tsx'
import type { CloseDialog } from '#web/lib/dialog-route.ts'
import { FormDialog } from '#web/lib/form-dialog.tsx'
import { LeaveGuard } from '#web/lib/leave-guard.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { toasts } from '#web/ui/toast-store.ts'
import type { UserInContext } from './read-user.ts'
import { useAbilities } from './use-abilities.ts'
import { useDescribeUser } from './use-describe-user.ts'
import { useFormTabs } from './use-form-tabs.ts'
import { useUserForm } from './use-user-form.ts'
import { UserActions } from './user-actions.tsx'
import { nameOf } from './user-draft.ts'
import { UserGeneral } from './user-general.tsx'
import { UserPermissions } from './user-permissions.tsx'
import { UserStatus } from './user-status.tsx'

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
  const form = useUserForm(user, context, () => {
    toasts.show({ tone: 'success', title: t('updated'), content: name })
    onClose({ saved: true })
  })
  const describe = useDescribeUser(names)
  const { tab, choose, reveal, errorsIn } = useFormTabs(form)
  const home = user.organizations.find((one) => one.organizationId === context.organizationId)
  const inviter = home ?? user.organizations[0]
  const general = <UserGeneral form={form} user={user} may={may} beside={form.beside} />
  const permissions = <UserPermissions form={form} names={names} personName={name} own={may.own} />
  return (
    <FormDialog
      form={form}
      title={name}
      subtitle={
        <>
          {user.email !== name && user.email}
          <UserStatus user={user} />
        </>
      }
      backLabel={backLabel}
      onClose={onClose}
      footerStart={
        <UserActions
          user={user}
          may={may}
          organization={home && can('administerOrganization', home) ? home : undefined}
          onClose={onClose}
        />
      }
      saveLabel={may.manage || may.details || may.handOut ? t('save') : undefined}
      notice={
        <>
          {user.pending && inviter && <PendingInvitation email={user.email} organizationId={inviter.organizationId} />}
          <ChangedByOthers form={form} describe={describe} />
        </>
      }
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
          ]}
        />
      ) : (
        <>
          {general}
          {may.handOut && permissions}
        </>
      )}
      <LeaveGuard dirty={form.dirty} />
    </FormDialog>
  )
}

/** Names by id, of everything this person has had since the dialog was opened. */
function useNames({ organizations, services }: User): Map<string, string> {
  const { current: names } = useRef(new Map<string, string>())
  for (const { organizationId, name } of organizations) names.set(organizationId, name)
  for (const { serviceId, name } of services) names.set(serviceId, name)
  return names
}
