import { useTranslation } from 'react-i18next'
import { type Group, groups } from '#contract/groups/groups.ts'
import { MemberDialog } from '#web/lib/dialogs/member-dialog.tsx'
import { useSave } from '#web/lib/requests/use-save.ts'
import { useOrganizationName } from '#web/lib/session/use-organization-name.ts'
import { toasts } from '#web/ui/toast/toast-store.ts'

/** Puts a colleague in a group by address: its admins see no list of colleagues. */
export function AddByEmailDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useTranslation()
  const put = useSave(groups.putByEmail, { inline: true })
  return (
    <MemberDialog
      title={t('addPersonToGroup')}
      organization={useOrganizationName(group.organizationId)}
      daysHint={t('groupDaysAsAdmin')}
      saveLabel={t('addPersonToGroup')}
      save={async ({ email, validFrom, validUntil }) => {
        // A day that is left out is the last one of the group's admin, or stays.
        const days = { ...(validFrom && { validFrom }), ...(validUntil && { validUntil }) }
        await put.mutateAsync({ params: { id: group.groupId }, input: { email, ...days } })
        toasts.show({ tone: 'success', title: t('personAddedToGroup', { name: email, group: group.name }) })
      }}
      onClose={onClose}
    />
  )
}
