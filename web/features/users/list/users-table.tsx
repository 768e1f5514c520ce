import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { personLabels } from '#contract/users/user-forms.ts'
import type { UserSummary } from '#contract/users/user-summary.ts'
import { useRoleWords } from '#web/features/organization-roles/organization-roles.tsx'
import { Day } from '#web/lib/texts/day.tsx'
import { useLoginMethodName } from '#web/lib/texts/login-methods.ts'
import { useSortLabels } from '#web/lib/texts/sort-labels.ts'
import { BadgeList } from '#web/ui/badge.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import { SelectAll, SelectOne } from '../bulk/select-boxes.tsx'
import type { Selection } from '../bulk/use-selection.ts'
import { hasStatus, UserStatus } from '../user-status.tsx'
import styles from '../users.module.css'
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
  /** Whose list it is. */
  organizationId?: string | undefined
  /** The columns that the reader left out. */
  hidden: ReadonlySet<string>
  /** Whose rows can be selected. */
  selection?: Selection | undefined
  /** A column with a button for each row. */
  action?: { header: string; cell: (user: UserSummary) => ReactNode } | undefined
}

export function UsersTable({
  caption,
  view,
  rows,
  busy,
  belongings,
  organizationId,
  hidden,
  selection,
  link,
  action,
}: UsersTableProps) {
  const { t } = useTranslation()
  const methodName = useLoginMethodName()
  const { nameOf } = useRoleWords()
  const rolesOf = ({ organizations }: UserSummary) => [
    ...new Set(
      organizations
        .filter((one) => !organizationId || one.organizationId === organizationId)
        .flatMap(({ roles = [] }) => roles.map(nameOf)),
    ),
  ]
  const { sort, sortDirection } = view.query
  const columns: (Column<UserSummary> | false | undefined)[] = [
    selection && {
      key: 'select',
      header: t('selection'),
      headerCell: <SelectAll rows={rows} selection={selection} />,
      hideHeader: true,
      cell: (user) => <SelectOne user={user} selection={selection} />,
    },
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
    // Nobody in view has one: no column.
    rows.some(({ groups }) => groups.length > 0) && {
      key: 'groups',
      header: t('groups'),
      unlabelled: true,
      cell: (user) => user.groups.length > 0 && <Belongings names={user.groups.map(({ name }) => name)} />,
    },
    rows.some((user) => rolesOf(user).length > 0) && {
      key: 'moreRoles',
      header: t('moreRoles'),
      unlabelled: true,
      cell: (user) => rolesOf(user).length > 0 && <Belongings names={rolesOf(user)} />,
    },
    {
      key: 'status',
      header: t('userStatus'),
      unlabelled: true,
      cell: (user) => hasStatus(user) && <UserStatus user={user} />,
    },
    {
      key: 'lastActive',
      header: t('lastActive'),
      cell: (user) => <LastActiveCell user={user} />,
    },
    {
      key: 'loginMethod',
      header: t('loginMethod'),
      cell: ({ loginMethod }) => (loginMethod ? methodName(loginMethod) : <Hidden />),
    },
    action && { key: 'action', header: action.header, hideHeader: true, align: 'end', cell: action.cell },
  ]
  const choose = (key: string, direction?: 'asc' | 'desc') => {
    const opposite = sortDirection === 'asc' ? 'desc' : 'asc'
    // A new sort field keeps the direction, the same field reverses it.
    view.change({
      sortField: key as UsersSort,
      sortDirection: direction ?? (key === sort ? opposite : sortDirection),
    })
  }
  return (
    <Table
      caption={caption}
      columns={columns.filter((column) => !!column).filter(({ key }) => !hidden.has(key))}
      rows={rows}
      rowKey={({ accountId }) => accountId}
      sort={{ key: sort, direction: sortDirection }}
      onSort={choose}
      sortLabels={useSortLabels()}
      busy={busy}
    />
  )
}

function LastActiveCell({ user: { lastActive, loginMethod } }: { user: UserSummary }) {
  const { t } = useTranslation()
  if (!lastActive) return loginMethod ? t('never') : <Hidden />
  return <Day at={lastActive} className={styles.day} />
}

/** What the reader may not see. */
function Hidden() {
  const { t } = useTranslation()
  return (
    <span className={styles.nameless}>
      <span aria-hidden="true">–</span>
      <span className="vh">{t('notShown')}</span>
    </span>
  )
}

function Belongings({ names }: { names: readonly string[] }) {
  const { t } = useTranslation()
  return <BadgeList names={names} moreLabel={(hidden) => t('andMore', { names: hidden.join(', ') })} />
}
