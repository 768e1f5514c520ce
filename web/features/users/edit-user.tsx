import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '#contract/users.ts'
import { PendingInvitation } from '#web/features/invitations/invitations.tsx'
import { useCan } from '#web/lib/can.tsx'
import { ChangedByOthers } from '#web/lib/changed-by-others.tsx'
import type { CloseDialog } from '#web/lib/dialog-route.ts'
import { FormProblem, FormProblems } from '#web/lib/form-problems.tsx'
import { LeaveGuard } from '#web/lib/leave-guard.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
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
  const { form, reload } = useUserForm(user, context, () => {
    toasts.show({ tone: 'success', title: t('updated'), content: name })
    onClose({ saved: true })
  })
  const describe = useDescribeUser(names)
  const { tab, choose, reveal, errorsIn } = useFormTabs(form)
  const home = user.organizations.find((one) => one.organizationId === context.organizationId)
  const inviter = home ?? user.organizations[0]
  const general = <UserGeneral form={form} user={user} may={may} onChanged={async () => form.rebase(await reload())} />
  const permissions = <UserPermissions form={form} names={names} personName={name} own={may.own} />
  return (
    <Dialog
      open
      title={name}
      subtitle={
        <>
          {user.email !== name && user.email}
          <UserStatus user={user} />
        </>
      }
      closeLabel={t('close')}
      backLabel={backLabel}
      onClose={onClose}
      form={{ onSubmit: form.submit }}
      footerStart={
        <UserActions
          user={user}
          may={may}
          organization={home && can('administerOrganization', home) ? home : undefined}
          onClose={onClose}
        />
      }
      footer={
        may.manage || may.details || may.handOut ? (
          <>
            <Button onClick={() => onClose()}>{t('cancel')}</Button>
            <Button type="submit" variant="primary" loading={form.saving}>
              {t('save')}
            </Button>
          </>
        ) : (
          <Button onClick={() => onClose()}>{t('close')}</Button>
        )
      }
    >
      {user.pending && inviter && <PendingInvitation email={user.email} organizationId={inviter.organizationId} />}
      <ChangedByOthers form={form} describe={describe} />
      <FormProblems form={form} reveal={reveal} />
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
      <FormProblem text={form.problem} />
      <LeaveGuard dirty={form.dirty} />
    </Dialog>
  )
}

/** Names by id, of everything this person has had since the dialog was opened. */
function useNames({ organizations, services }: User): Map<string, string> {
  const { current: names } = useRef(new Map<string, string>())
  for (const { organizationId, name } of organizations) names.set(organizationId, name)
  for (const { serviceId, name } of services) names.set(serviceId, name)
  return names
}
