import { useQuery } from '@tanstack/react-query'
import { createLink, getRouteApi, Link, Outlet } from '@tanstack/react-router'
import Download from 'lucide-react/icons/download'
import FileUp from 'lucide-react/icons/file-up'
import KeyRound from 'lucide-react/icons/key-round'
import Plus from 'lucide-react/icons/plus'
import { useTranslation } from 'react-i18next'
import { type DeclaredRole, serviceRoleLabels, serviceRoles } from '#contract/service-roles/service-roles.ts'
import { services } from '#contract/services/services.ts'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { WholeList } from '#web/lib/lists/whole-list.tsx'
import { query } from '#web/lib/requests/query.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { Card, FormActions } from '#web/ui/frame/page.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import { roleFileAddress } from './role-file.ts'
import { useRoleTexts } from './role-texts.ts'

const OpenLink = createLink(LinkButton)
const route = getRouteApi('/services/$serviceId/roles')

/** The roles that a service declares; each opens in a dialog with its own address. */
export function ServiceRolesPage() {
  const { t } = useTranslation()
  const { serviceId } = route.useParams()
  const service = useQuery(query(services.read, { params: { id: serviceId } }))
  const list = useQuery(query(serviceRoles.list, { query: { serviceId } }))
  const name = service.data?.name
  return (
    <AdministrationPage
      heading={name && t('rolesOfService', { name })}
      subtitle={t('serviceRolesText')}
      trail={[
        <Link key="list" to="/services">
          {t('services')}
        </Link>,
        name && (
          <Link key="service" to="/services/$serviceId" params={{ serviceId }}>
            {name}
          </Link>
        ),
      ]}
      action={
        <FormActions>
          {list.data && list.data.length > 0 && (
            <LinkButton icon={Download} href={roleFileAddress(list.data)} download={`${t('rolesFileName')}.json`}>
              {t('rolesExport')}
            </LinkButton>
          )}
          <OpenLink
            to="/services/$serviceId/roles/from-file"
            params={{ serviceId }}
            state={openedFromPage}
            icon={FileUp}
          >
            {t('rolesImport')}
          </OpenLink>
          <OpenLink
            to="/services/$serviceId/roles/create"
            params={{ serviceId }}
            state={openedFromPage}
            variant="primary"
            icon={Plus}
          >
            {t('createServiceRole')}
          </OpenLink>
        </FormActions>
      }
    >
      <Card flush>
        <WholeList list={list} emptyIcon={KeyRound} emptyText={t('serviceRolesNone')}>
          {(rows, busy) => <RolesTable rows={rows} busy={busy} />}
        </WholeList>
      </Card>
      <Outlet />
    </AdministrationPage>
  )
}

function RolesTable({ rows, busy }: { rows: readonly DeclaredRole[]; busy: boolean }) {
  const { t } = useTranslation()
  const textsOf = useRoleTexts()
  const columns: Column<DeclaredRole>[] = [
    {
      key: 'name',
      header: t('name'),
      rowHeader: true,
      cell: (role) => (
        <Link
          to="/services/$serviceId/roles/$roleId"
          params={{ serviceId: role.serviceId, roleId: role.roleId }}
          state={openedFromPage}
        >
          {textsOf(role).name}
        </Link>
      ),
    },
    { key: 'key', header: t(serviceRoleLabels.key), cell: ({ key }) => <code>{key}</code> },
    {
      key: 'needsTwoFactors',
      header: t(serviceRoleLabels.needsTwoFactors),
      cell: ({ needsTwoFactors }) => t(needsTwoFactors ? 'yes' : 'no'),
    },
    { key: 'maxPeople', header: t(serviceRoleLabels.maxPeople), cell: ({ maxPeople }) => maxPeople ?? '–' },
    {
      key: 'excludes',
      header: t(serviceRoleLabels.excludes),
      cell: ({ excludes }) => (excludes.length > 0 ? excludes.join(', ') : '–'),
    },
  ]
  return <Table caption={t('serviceRoles')} columns={columns} rows={rows} rowKey={({ roleId }) => roleId} busy={busy} />
}
