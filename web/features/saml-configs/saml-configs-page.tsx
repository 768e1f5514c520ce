import { useQuery } from '@tanstack/react-query'
import { createLink, getRouteApi, Outlet } from '@tanstack/react-router'
import KeyRound from 'lucide-react/icons/key-round'
import Link from 'lucide-react/icons/link'
import Plus from 'lucide-react/icons/plus'
import { useTranslation } from 'react-i18next'
import { samlConfigs } from '#contract/saml-configs/saml-configs.ts'
import { samlMetadataAddress } from '#contract/saml-configs/saml-metadata-address.ts'
import { samlSetups } from '#contract/saml-setups/saml-setups.ts'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery, query } from '#web/lib/requests/query.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { Card, FormActions } from '#web/ui/frame/page.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { TableSkeleton } from '#web/ui/table/table-skeleton.tsx'
import { MetadataToConfirm } from './metadata/metadata-to-confirm.tsx'
import { SamlConfigsTable } from './saml-configs-table.tsx'
import { SetupLinks } from './setup/setup-links.tsx'

const CreateLink = createLink(LinkButton)
const page = getRouteApi('/saml-configuration')

/** All SAML configurations; each opens in a dialog with an address of its own. */
export function SamlConfigsPage() {
  const { t } = useTranslation()
  return (
    <AdministrationPage
      action={
        <FormActions>
          <CreateLink to="/saml-configuration/setup-link" search={true} state={openedFromPage} icon={Link}>
            {t('createSetupLink')}
          </CreateLink>
          <CreateLink
            to="/saml-configuration/create"
            search={true}
            state={openedFromPage}
            variant="primary"
            icon={Plus}
          >
            {t('createSamlConfig')}
          </CreateLink>
        </FormActions>
      }
    >
      <SamlConfigRows />
      <Outlet />
    </AdministrationPage>
  )
}

function SamlConfigRows() {
  const { t } = useTranslation()
  const { sort = 'name', sortDirection = 'asc' } = page.useSearch()
  const list = useQuery(query(samlConfigs.list, { query: { sort, sortDirection } }))
  const links = useQuery({ ...freshQuery(samlSetups.list), refetchOnWindowFocus: true })
  const watches = useQuery(freshQuery(samlMetadataAddress.list))
  const all = {
    data: list.data && links.data && watches.data && { rows: list.data, setups: links.data, found: watches.data },
    error: list.error ?? links.error ?? watches.error,
    refetch: () => Promise.all([list.refetch(), links.refetch(), watches.refetch()]),
  }
  return (
    <Loaded
      query={all}
      skeleton={
        <Card flush>
          <TableSkeleton
            label={t('loading')}
            columns={['text', 'long', 'badge', 'text', 'text', 'text', 'text']}
            rows={5}
          />
        </Card>
      }
    >
      {({ rows, setups, found }) => (
        <>
          {found.length > 0 && <MetadataToConfirm rows={found} />}
          {setups.length > 0 && <SetupLinks rows={setups} />}
          {rows.length > 0 ? (
            <SamlConfigsTable rows={rows} busy={list.isFetching} />
          ) : (
            <EmptyState icon={KeyRound}>{t('noSamlConfigsYet')}</EmptyState>
          )}
        </>
      )}
    </Loaded>
  )
}
