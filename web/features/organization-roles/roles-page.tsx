import { useQuery } from '@tanstack/react-query'
import { createLink, getRouteApi, Link, Outlet } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useTranslation } from 'react-i18next'
import { type GivableRole, organizationRoles } from '#contract/organization-roles/organization-roles.ts'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { OrganizationBadge } from '#web/lib/organization-badge.tsx'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { Can, useCan, useHolds } from '#web/lib/session/can.tsx'
import { WayBack } from '#web/lib/way-back.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { Breadcrumb } from '#web/ui/frame/breadcrumb.tsx'
import { Card, PageHeading } from '#web/ui/frame/page.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import { useRoleWords } from './role-words.ts'

const CreateLink = createLink(LinkButton)
const route = getRouteApi('/roles/$organizationId')

/** What each role of an organisation may do; its own open in a dialog with an address. */
export function OrganizationRolesPage() {
  const { t } = useTranslation()
  const { organizationId } = route.useParams()
  const list = useQuery(query(organizationRoles.list, { params: { organizationId } }))
  return (
    <>
      <PageHeading
        title={t('organizationRoles')}
        beside={<OrganizationBadge organizationId={organizationId} />}
        subtitle={t('organizationRolesText')}
        breadcrumb={
          <Breadcrumb label={t('breadcrumb')}>
            <WayBack home="/my-organization" organizationId={organizationId} />
            <span aria-current="page">{t('organizationRoles')}</span>
          </Breadcrumb>
        }
        action={
          <Can do="giveRoles" to={{ organizationId }}>
            <CreateLink
              to="/roles/$organizationId/create"
              params={{ organizationId }}
              state={openedFromPage}
              variant="primary"
              icon={Plus}
            >
              {t('createOrganizationRole')}
            </CreateLink>
          </Can>
        }
      />
      <Card flush>
        <Loaded
          query={list}
          skeleton={
            <SkeletonGroup label={t('loading')}>
              <Skeleton shape="row" count={5} />
            </SkeletonGroup>
          }
        >
          {(rows) => <RolesTable organizationId={organizationId} rows={rows} busy={list.isFetching} />}
        </Loaded>
      </Card>
      <Outlet />
    </>
  )
}

interface RolesTableProps {
  organizationId: string
  rows: readonly GivableRole[]
  busy: boolean
}

function RolesTable({ organizationId, rows, busy }: RolesTableProps) {
  const { t } = useTranslation()
  const can = useCan()
  const { nameOf, wordsOf } = useRoleWords()
  const holds = useHolds(organizationId)
  const opens = (role: GivableRole) => can('giveRoles', { organizationId }) && holds(role.permissions)
  const columns: Column<GivableRole>[] = [
    {
      key: 'name',
      header: t('name'),
      rowHeader: true,
      cell: (one) =>
        one.name === null || !opens(one) ? (
          nameOf(one)
        ) : (
          <Link
            to="/roles/$organizationId/$roleId"
            params={{ organizationId, roleId: one.role }}
            state={openedFromPage}
          >
            {one.name}
          </Link>
        ),
    },
    { key: 'permissions', header: t('rolePermissions'), cell: ({ permissions }) => wordsOf(permissions) },
    { key: 'people', header: t('roleHolders'), cell: ({ people }) => people },
  ]
  return (
    <Table caption={t('organizationRoles')} columns={columns} rows={rows} rowKey={({ role }) => role} busy={busy} />
  )
}
