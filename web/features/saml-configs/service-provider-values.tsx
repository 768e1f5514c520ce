import { useTranslation } from 'react-i18next'
import type { SamlConfigDetails } from '#contract/saml-configs.ts'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { oidcGuides, otherOidcGuide } from './oidc-guides.ts'
import { ProviderGuide } from './provider-guide.tsx'
import { otherGuide, providerGuides } from './provider-guides.ts'

/** What the company enters at its identity provider. */
export function ServiceProviderValues({ of }: { of: SamlConfigDetails['serviceProvider'] }) {
  const { entityId, acsUrl } = of
  const { t } = useTranslation()
  const labels = { copyLabel: t('copy'), copiedLabel: t('copied') }
  return (
    <FieldGroup legend={t('serviceProvider')} hint={t('serviceProviderHint')}>
      <CopyField {...labels} label={t('serviceProviderEntityId')} value={entityId} />
      <CopyField {...labels} label={t('serviceProviderAcsUrl')} value={acsUrl} />
      <ProviderGuide guides={providerGuides(of)} otherGuide={otherGuide(of)} />
    </FieldGroup>
  )
}

/** The same for OpenID Connect. */
export function RedirectUri({ of: { redirectUri } }: { of: SamlConfigDetails['serviceProvider'] }) {
  const { t } = useTranslation()
  return (
    <FieldGroup legend={t('serviceProvider')} hint={t('oidcServiceProviderHint')}>
      <CopyField copyLabel={t('copy')} copiedLabel={t('copied')} label={t('oidcRedirectUri')} value={redirectUri} />
      <ProviderGuide guides={oidcGuides(redirectUri)} otherGuide={otherOidcGuide(redirectUri)} />
    </FieldGroup>
  )
}
