import { createLink, getRouteApi, Link } from '@tanstack/react-router'
import UserPlus from 'lucide-react/icons/user-plus'
import { useTranslation } from 'react-i18next'
import { type ListedOrganization, organizationLabels } from '#contract/organizations/organizations.ts'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { nextOrder, type Order } from '#web/lib/lists/list-search.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { useLoginMethodName } from '#web/lib/texts/login-methods.ts'
import { useSortLabels } from '#web/lib/texts/sort-labels.ts'
import { Badge } from '#web/ui/badge.tsx'
import { IconLink } from '#web/ui/icon-button.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import { organizationsSearch } from './organizations-search.ts'

const list = getRouteApi('/organization-settings')
const states = { noPeople: 'organizationNoPeople', signInOff: 'organizationSignInOff' } as const
const AddUserLink = createLink(IconLink)

interface OrganizationsTableProps {
  rows: readonly ListedOrganization[]
  busy: boolean
}

export function OrganizationsTable({ rows, busy }: OrganizationsTableProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const methodName = useLoginMethodName()
  const { sort = 'name', sortDirection = 'asc' } = list.useSearch()
  const navigate = list.useNavigate()
  const order: Order<'name' | 'organizationNumber'> = { key: sort, direction: sortDirection }
  const invites = useCan()('manageOrganizations')
  const columns: (Column<ListedOrganization> | false)[] = [
    {
      key: 'name',
      header: t(organizationLabels.name),
      sortable: true,
      rowHeader: true,
      cell: ({ organizationId, name }) => (
        <Link
          to="/organization-settings/$organizationId"
          params={{ organizationId }}
          search={true}
          state={openedFromPage}
        >
          {name}
        </Link>
      ),
    },
    {
      key: 'organizationNumber',
      header: t(organizationLabels.organizationNumber),
      sortable: true,
      cell: ({ organizationNumber }) => organizationNumber,
    },
    {
      key: 'loginMethod',
      header: t(organizationLabels.loginMethod),
      cell: ({ loginMethod }) => methodName(loginMethod),
    },
    {
      key: 'memberCount',
      header: t('users'),
      align: 'end',
      cell: ({ memberCount }) => memberCount.toLocaleString(language),
    },
    { key: 'services', header: t('services'), align: 'end', cell: ({ services }) => services.length },
    {
      key: 'state',
      header: t('userStatus'),
      cell: ({ state }) => (state === 'active' ? t('statusActive') : <Badge tone="warn">{t(states[state])}</Badge>),
    },
    invites && {
      key: 'addUser',
      header: t('inviteUser'),
      hideHeader: true,
      align: 'end',
      cell: ({ organizationId, name }) => (
        <AddUserLink
          to="/organization-settings/invite/$organizationId"
          params={{ organizationId }}
          search={true}
          state={openedFromPage}
          icon={UserPlus}
          label={t('addUserTo', { name })}
        />
      ),
    },
  ]
  return (
    <Table
      caption={t('organizations')}
      columns={columns.filter((column) => !!column)}
      rows={rows}
      rowKey={({ organizationId }) => organizationId}
      sort={order}
      onSort={(key, direction) =>
        void navigate({
          search: ({ searchQuery }) => organizationsSearch({ searchQuery, ...nextOrder(order, key, direction) }),
          replace: true,
        })
      }
      sortLabels={useSortLabels()}
      busy={busy}
    />
  )
}
