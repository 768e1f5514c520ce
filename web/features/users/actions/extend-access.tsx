import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { bulkUsers } from '#contract/users/bulk-users.ts'
import { endingSoonDays } from '#contract/users/user-filters.ts'
import type { User } from '#contract/users/users.ts'
import { useEndsInGroups } from '#web/features/groups/groups.tsx'
import { call } from '#web/lib/requests/api.ts'
import { dayText, todayInSweden } from '#web/lib/texts/dates.ts'
import { messageText, useLanguage } from '#web/lib/texts/i18n.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

interface ExtendAccessProps {
  user: User
  organization: { organizationId: string; name: string }
  /** Runs a change outside the form, and updates the form's version afterwards. */
  beside: (change: () => Promise<void>) => void
}

/** Says that something ends soon, or has ended, and extends all of it with one click. */
export function ExtendAccess({ user, organization: { organizationId, name }, beside }: ExtendAccessProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: () =>
      call(bulkUsers.extend, {
        params: { id: organizationId },
        input: { accountIds: [user.accountId], dryRun: false },
      }),
    onSuccess: () => client.invalidateQueries(),
  })
  const inGroups = useEndsInGroups(user.accountId, organizationId)
  const [end] = [...user.organizations, ...user.services]
    .filter((one) => one.organizationId === organizationId)
    .flatMap((one) => ('roleUntil' in one ? [one.validUntil, one.roleUntil, one.rolesUntil] : [one.validUntil]))
    .filter((day) => typeof day === 'string')
    .concat(inGroups)
    .sort()
  const days = end === undefined ? Infinity : (Date.parse(end) - Date.parse(todayInSweden())) / 86_400_000
  if (end === undefined || days > endingSoonDays) return null
  const extend = () =>
    beside(async () => {
      const [row] = (await save.mutateAsync()).rows
      if (row?.outcome === 'done') toasts.show({ tone: 'success', title: t('accessExtended') })
      if (row?.outcome !== 'done' || row.reason)
        toasts.show({ tone: 'danger', title: messageText(row?.reason ?? 'genericErrorMessage') })
    })
  const day = dayText(end, language, 'full')
  return (
    <Alert
      tone={days < 0 ? 'danger' : 'warn'}
      title={user.organizations.length > 1 ? name : undefined}
      action={
        <Button loading={save.isPending} onClick={extend}>
          {t('extendAccess')}
        </Button>
      }
    >
      {t(days < 0 ? 'accessEndedOn' : 'accessEndsOn', { day })}
    </Alert>
  )
}
