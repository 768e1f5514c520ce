import List from 'lucide-react/icons/list'
import UserRound from 'lucide-react/icons/user-round'
import { useTranslation } from 'react-i18next'
import { users } from '#contract/users/users.ts'
import { useGo } from '#web/lib/palette/use-go.ts'
import { type Found, useSearch } from '#web/lib/palette/use-search.ts'
import { query } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { useCurrentOrganization } from '#web/lib/session/signed-in.tsx'

/** Finds users by name or email address: all users for who reads them, those of the admin's organisation for an admin. */
export function useFound(text: string): Found {
  const { t } = useTranslation()
  const can = useCan()
  const go = useGo()
  const { membership } = useCurrentOrganization()
  const everybody = can('readAllUsers')
  const id = membership && can('readPeople', membership) ? membership.organizationId : undefined
  const list = everybody ? '/users' : '/user-administration'
  return useSearch({
    label: t('users'),
    text,
    allowed: everybody || id !== undefined,
    ask: (searchQuery) =>
      everybody
        ? query(users.list, { query: { searchQuery } })
        : query(users.ofOrganization, { params: { id: id ?? '' }, query: { searchQuery } }),
    toCommand: ({ accountId, firstName, lastName, email }) => {
      const name = [firstName, lastName].filter(Boolean).join(' ')
      return {
        id: `user ${accountId}`,
        label: name || email,
        hint: name ? email : undefined,
        icon: UserRound,
        run: () => go({ to: `${list}/$accountId`, params: { accountId } }, list),
      }
    },
    toAll: (searchQuery, count, hasMore) => ({
      id: 'all users',
      label: t(hasMore ? 'showAllOfMore' : 'showAllUsers', { count }),
      icon: List,
      run: () => go({ to: list, search: { searchQuery } }),
    }),
  })
}
