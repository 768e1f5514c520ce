import UserMinus from 'lucide-react/icons/user-minus'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { GroupMember } from '#contract/groups/group-people.ts'
import { groups } from '#contract/groups/groups.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

interface TakeOutProps {
  group: { groupId: string; name: string }
  person: Pick<GroupMember, 'accountId' | 'email' | 'firstName' | 'lastName' | 'sources'>
  /** As a button with its text; otherwise it is an icon. */
  wide?: boolean
}

/** Takes somebody out of a group, after it has said what that ends. */
export function TakeOut({ group, person, wide = false }: TakeOutProps): ReactNode {
  const { t } = useTranslation()
  const [asked, setAsked] = useState(false)
  const take = useSave(groups.take)
  const names = {
    name: [person.firstName, person.lastName].filter(Boolean).join(' ') || person.email,
    group: group.name,
  }
  const confirm = () =>
    take.mutate(
      { params: { id: group.groupId }, input: { accountIds: [person.accountId], dryRun: false } },
      {
        onSuccess: () => toasts.show({ tone: 'success', title: t('takenOutOfGroup', names) }),
        onSettled: () => setAsked(false),
      },
    )
  const label = t('takeOutOfGroupNamed', names)
  return (
    <>
      {wide ? (
        <Button size="small" icon={UserMinus} aria-label={label} onClick={() => setAsked(true)}>
          {t('takeOutOfGroup')}
        </Button>
      ) : (
        <IconButton icon={UserMinus} label={label} onClick={() => setAsked(true)} />
      )}
      <ConfirmDialog
        open={asked}
        title={t('takeOutOfGroupTitle', names)}
        cancelLabel={t('cancel')}
        confirmLabel={t('takeOutOfGroup')}
        loading={take.isPending}
        onCancel={() => setAsked(false)}
        onConfirm={confirm}
      >
        {t('takeOutOfGroupText')}
        {person.sources.includes('rule') && ` ${t('takeOutOfRuleText')}`}
      </ConfirmDialog>
    </>
  )
}
