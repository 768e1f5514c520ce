import { useQuery } from '@tanstack/react-query'
import { createLink, getRouteApi, Link, Outlet } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import UsersRound from 'lucide-react/icons/users-round'
import { useTranslation } from 'react-i18next'
import { type Group, groups } from '#contract/groups/groups.ts'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { OrganizationField } from '#web/lib/forms/organization-field.tsx'
import { WholeList } from '#web/lib/lists/whole-list.tsx'
import { query } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { Badge, BadgeList } from '#web/ui/badge.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { Card, Toolbar } from '#web/ui/frame/page.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import { useServiceNames } from './use-service-names.ts'
import { useWhoseGroups } from './use-whose-groups.ts'

const CreateLink = createLink(LinkButton)
const route = getRouteApi('/groups')

/** The groups of an organisation. Each has a page with its people. */
export function GroupsPage() {
  const { t } = useTranslation()
  const can = useCan()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const organizationId = useWhoseGroups(search.organizationId)
  return (
    <AdministrationPage
      subtitle={t('groupsText')}
      action={
        organizationId &&
        can('manageGroups', { organizationId }) && (
          <CreateLink to="/groups/create" search={true} state={openedFromPage} variant="primary" icon={Plus}>
            {t('createGroup')}
          </CreateLink>
        )
      }
    >
      <Card flush>
        {can('manageUsers') && (
          <Toolbar>
            <OrganizationField
              value={organizationId}
              placeholder={t('chooseOrganization')}
              onChoose={(chosen) => void navigate({ search: { organizationId: chosen }, replace: true })}
            />
          </Toolbar>
        )}
        {organizationId ? (
          <GroupsOf key={organizationId} organizationId={organizationId} />
        ) : (
          <EmptyState icon={UsersRound}>{t('groupsWhose')}</EmptyState>
        )}
      </Card>
      <Outlet />
    </AdministrationPage>
  )
}

function GroupsOf({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation()
  const list = useQuery(query(groups.list, { params: { organizationId } }))
  return (
    <WholeList list={list} emptyIcon={UsersRound} emptyText={t('noGroups')}>
      {(rows, busy) => <GroupsTable rows={rows} organizationId={organizationId} busy={busy} />}
    </WholeList>
  )
}

interface GroupsTableProps {
  rows: readonly Group[]
  organizationId: string
  busy: boolean
}

function GroupsTable({ rows, organizationId, busy }: GroupsTableProps) {
  const { t } = useTranslation()
  const nameOf = useServiceNames(organizationId)
  const columns: Column<Group>[] = [
    {
      key: 'name',
      header: t('name'),
      rowHeader: true,
      cell: ({ groupId, name }) => (
        <Link to="/groups/$groupId" params={{ groupId }}>
          {name}
        </Link>
      ),
    },
    { key: 'people', header: t('people'), align: 'end', cell: ({ people }) => people },
    {
      key: 'services',
      header: t('services'),
      unlabelled: true,
      cell: ({ services }) =>
        services.length > 0 && (
          <BadgeList names={services.map(nameOf)} moreLabel={(hidden) => t('andMore', { names: hidden.join(', ') })} />
        ),
    },
    {
      key: 'state',
      header: t('userStatus'),
      unlabelled: true,
      cell: ({ ruleAttribute, waiting }) => (
        <>
          {ruleAttribute && <Badge>{t('groupHasRule')}</Badge>}
          {waiting > 0 && <Badge tone="warn">{t('groupWaiting', { count: waiting })}</Badge>}
        </>
      ),
    },
  ]
  return <Table caption={t('groups')} columns={columns} rows={rows} rowKey={({ groupId }) => groupId} busy={busy} />
}
