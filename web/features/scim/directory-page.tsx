import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type DirectoryState, directories } from '#contract/scim/scim.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { directoryGuides, otherDirectoryGuide } from '#web/lib/saml/directory-guides.ts'
import { ProviderGuide } from '#web/lib/saml/provider-guide.tsx'
import { WayBack } from '#web/lib/way-back.tsx'
import { Alert } from '#web/ui/alert.tsx'
import { DescriptionList } from '#web/ui/description-list.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { Breadcrumb } from '#web/ui/frame/breadcrumb.tsx'
import { Card, FormGrid, PageHeading } from '#web/ui/frame/page.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { DirectoryGroups } from './directory-groups.tsx'
import { DirectoryLinks } from './directory-links.tsx'
import { DirectoryLog } from './directory-log.tsx'
import { DirectoryTokens } from './directory-tokens.tsx'

const page = getRouteApi('/organization-directory/$organizationId')

/** Tokens, the steps on the other side, and what the directory sent. */
export function DirectoryPage() {
  const { t } = useTranslation()
  const { organizationId } = page.useParams()
  const state = useQuery(freshQuery(directories.read, { params: { id: organizationId } }))
  return (
    <>
      <PageHeading
        title={t('organizationDirectory')}
        subtitle={t('organizationDirectoryText')}
        breadcrumb={
          <Breadcrumb label={t('breadcrumb')}>
            <WayBack home="/my-organization" organizationId={organizationId} />
            <span aria-current="page">{t('organizationDirectory')}</span>
          </Breadcrumb>
        }
      />
      <Loaded
        query={state}
        skeleton={
          <SkeletonGroup label={t('loading')}>
            <Skeleton shape="row" count={12} />
          </SkeletonGroup>
        }
      >
        {(loaded) => (
          <>
            <Card narrow>
              <FormGrid>
                <Overview state={loaded} />
                <DirectoryTokens state={loaded} />
                <DirectoryLinks organizationId={organizationId} />
              </FormGrid>
            </Card>
            <Card narrow>
              <FormGrid>
                <SetupGuide address={loaded.address} />
              </FormGrid>
            </Card>
            <DirectoryGroups organizationId={organizationId} />
            <DirectoryLog organizationId={organizationId} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Overview({ state: { name, address, domains, people, active } }: { state: DirectoryState }) {
  const { t } = useTranslation()
  return (
    <>
      <h2>{name}</h2>
      <CopyField label={t('scimAddress')} value={address} copyLabel={t('copy')} copiedLabel={t('copied')} />
      <DescriptionList
        items={[
          {
            term: t('scimPeople'),
            value: t('scimPeopleActive', { people, active }),
          },
          { term: t('scimDomains'), value: domains.length > 0 ? domains.join(', ') : t('scimNoDomains') },
        ]}
      />
    </>
  )
}

function SetupGuide({ address }: { address: string }) {
  const { t } = useTranslation()
  return (
    <>
      <h2>{t('scimSetup')}</h2>
      <ProviderGuide
        guides={directoryGuides(address)}
        otherGuide={otherDirectoryGuide(address)}
        say={(key, values = {}) => t(key, values)}
        label={t('scimGuide')}
        choose={t('scimGuideChoose')}
        hint={t('scimGuideHint')}
      />
      <Alert tone="info">{t('scimGuideLimits')}</Alert>
    </>
  )
}
