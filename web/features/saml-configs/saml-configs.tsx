import { useQuery } from '@tanstack/react-query'
import { createLink } from '@tanstack/react-router'
import Link from 'lucide-react/icons/link'
import Wrench from 'lucide-react/icons/wrench'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { samlConfigs } from '#contract/saml-configs/saml-configs.ts'
import { samlSetups } from '#contract/saml-setups/saml-setups.ts'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery, query } from '#web/lib/requests/query.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import styles from './saml-configs.module.css'
import { OrganizationConfig, OrganizationSetup } from './state/organization-config.tsx'

// The public interface of this room: the sign-in of an organisation, for its dialog.

const CreateConfig = lazy(async () => ({ default: (await import('./form/create-config.tsx')).CreateConfig }))
const CreateSetup = lazy(async () => ({ default: (await import('./setup/create-setup.tsx')).CreateSetup }))
const StepLink = createLink(LinkButton)

interface ForOrganization {
  organization: { organizationId: string; name: string }
  onClose: CloseDialog
}

/** Sets up the sign-in of an organisation, in a dialog above its own. */
export function PrepareSignIn({
  onCreated,
  ...props
}: ForOrganization & { onCreated: (created: { id: number }) => void }) {
  const { t } = useTranslation()
  return (
    <Suspense>
      <CreateConfig {...props} backLabel={t('back')} onCreated={onCreated} />
    </Suspense>
  )
}

/** Makes a link with which its IT does that. */
export function SendSetupLink(props: ForOrganization) {
  const { t } = useTranslation()
  return (
    <Suspense>
      <CreateSetup {...props} backLabel={t('back')} />
    </Suspense>
  )
}

/** How the sign-in of an organisation stands, and who sets it up. */
export function OrganizationSignIn({
  organization,
}: {
  organization: { organizationId: string; samlConfigId?: number | null | undefined }
}) {
  const { t } = useTranslation()
  const { organizationId, samlConfigId } = organization
  const list = useQuery(query(samlConfigs.list))
  const links = useQuery(freshQuery(samlSetups.list))
  const config = list.data?.find(({ id }) => id === samlConfigId)
  const setup = links.data?.find((one) => one.organizationId === organizationId)
  const both = {
    data: list.data && links.data,
    error: list.error ?? links.error,
    refetch: () => Promise.all([list.refetch(), links.refetch()]),
  }
  const params = { organizationId }
  return (
    <FieldGroup legend={t('organizationSignIn')} hint={config ? undefined : t('organizationSignInHint')}>
      <Loaded query={both} skeleton={<Skeleton shape="control" />}>
        {() => (
          <>
            {config && <OrganizationConfig config={config} />}
            {setup && <OrganizationSetup setup={setup} />}
            {!config && (
              <div className={styles.sources}>
                <StepLink
                  to="/organization-settings/$organizationId/sign-in-link"
                  params={params}
                  search={true}
                  state={{ openedFromPage: true }}
                  icon={Link}
                >
                  {t('signInSendLink')}
                </StepLink>
                <StepLink
                  to="/organization-settings/$organizationId/sign-in"
                  params={params}
                  search={true}
                  state={{ openedFromPage: true }}
                  icon={Wrench}
                >
                  {t('signInDoItMyself')}
                </StepLink>
              </div>
            )}
          </>
        )}
      </Loaded>
    </FieldGroup>
  )
}
