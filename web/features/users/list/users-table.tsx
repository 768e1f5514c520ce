import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { personLabels } from '#contract/user-forms.ts'
import type { UserSummary } from '#contract/user-summary.ts'
import { useSortLabels } from '#web/lib/sort-labels.ts'
import { BadgeList } from '#web/ui/badge.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import { UserStatus } from '../user-status.tsx'
import type { UsersSort } from '../users-search.ts'
import { UserName } from './user-name.tsx'
import type { UsersView } from './users-view.ts'

export interface UsersTableProps {
  /** Names the table: "Users in Nordvik AB". */
  caption: string
  view: UsersView
  rows: readonly UserSummary[]
  busy: boolean
  /** The column that lists what the users belong to. */
  belongings?: 'organizations' | 'services' | undefined
  /** Turns the name into a link to the user. */
  link: (user: UserSummary, name: ReactNode) => ReactNode
  /** A column with a button for each row. */
  action?: { header: string; cell: (user: UserSummary) => ReactNode } | undefined
}

export function UsersTable({ caption, view, rows, busy, belongings, link, action }: UsersTableProps) {
  const { t } = useTranslation()
  const { sort, sortDirection } = view.query
  const columns: (Column<UserSummary> | false | undefined)[] = [
    {
      key: 'firstName',
      header: t(personLabels.firstName),
      sortable: true,
      rowHeader: true,
      cell: (user) => link(user, <UserName user={user} />),
    },
    {
      key: 'lastName',
      header: t(personLabels.lastName),
      sortable: true,
      wideOnly: true,
      cell: ({ lastName }) => lastName,
    },
    { key: 'email', header: t(personLabels.email), sortable: true, unlabelled: true, cell: ({ email }) => email },
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
    const opposite = sortDirection === 'asc' ? 'desc' : 'asc'
    // Specification, section 4: a new sort field keeps the direction, the same field reverses it.
    view.change({
      sortField: key as UsersSort,
      sortDirection: direction ?? (key === sort ? opposite : sortDirection),
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
