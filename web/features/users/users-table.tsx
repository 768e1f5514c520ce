import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserSummary } from '#contract/users.ts'
import { useSortLabels } from '#web/lib/sort-labels.ts'
import { BadgeList } from '#web/ui/badge.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { UserName } from './user-name.tsx'
import { UserStatus } from './user-status.tsx'
import type { UsersSort } from './users-search.ts'
import type { UsersView } from './users-view.ts'

export interface UsersTableProps {
  /** Names the table: "Users in Nordvik AB". */
  caption: string
  view: UsersView
  rows: readonly UserSummary[]
  busy: boolean
  /** What people have in common with others and is worth a column. */
  belongings?: 'organizations' | 'services' | undefined
  /** Makes the name a link to the person. */
  link: (user: UserSummary, name: ReactNode) => ReactNode
  /** A button of the row. */
  action?: { header: string; cell: (user: UserSummary) => ReactNode } | undefined
}

export function UsersTable({ caption, view, rows, busy, belongings, link, action }: UsersTableProps) {
  const { t } = useTranslation()
  const { sort, sortDirection } = view.query
  const columns: (Column<UserSummary> | false | undefined)[] = [
    {
      key: 'firstName',
      header: t('firstName'),
      sortable: true,
      rowHeader: true,
      cell: (user) => link(user, <UserName user={user} />),
    },
    { key: 'lastName', header: t('lastName'), sortable: true, wideOnly: true, cell: ({ lastName }) => lastName },
    { key: 'email', header: t('email'), sortable: true, unlabelled: true, cell: ({ email }) => email },
    belongings && {
      key: belongings,
      header: t(belongings),
      unlabelled: true,
      cell: (user) => user[belongings].length > 0 && <Belongings names={user[belongings].map(({ name }) => name)} />,
    },
    {
      key: 'status',
      header: t('userStatus'),
      unlabelled: true,
      cell: (user) => (user.pending || user.passive || user.superUser) && <UserStatus user={user} />,
    },
    action && { key: 'action', header: action.header, hideHeader: true, align: 'end', cell: action.cell },
  ]
  const choose = (key: string, direction?: 'asc' | 'desc') => {
    const turned = sortDirection === 'asc' ? 'desc' : 'asc'
    // Specification, section 4: another field keeps the direction, the same one turns it.
    view.change({
      sortField: key as UsersSort,
      sortDirection: direction ?? (key === sort ? turned : sortDirection),
    })
  }
  return (
    <Table
      caption={caption}
      columns={columns.filter((column) => !!column)}
      rows={rows}
      rowKey={({ accountId }) => accountId}
      sort={{ key: sort, direction: sortDirection }}
      onSort={choose}
      sortLabels={useSortLabels()}
      busy={busy}
    />
  )
}

function Belongings({ names }: { names: readonly string[] }) {
  const { t } = useTranslation()
  return <BadgeList names={names} moreLabel={(hidden) => t('andMore', { names: hidden.join(', ') })} />
}
