import Download from 'lucide-react/icons/download'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { oidcConfigForm } from '#contract/saml-configs/oidc-configs.ts'
import type { SamlConfigDetails } from '#contract/saml-configs/saml-configs.ts'
import type { FormOf } from '#web/lib/forms/form.ts'
import { oidcGuides, otherOidcGuide } from '#web/lib/saml/oidc-guides.ts'
import { ProviderGuide } from '#web/lib/saml/provider-guide.tsx'
import { otherGuide, providerGuides } from '#web/lib/saml/provider-guides.ts'
import { useSay } from '#web/lib/saml/use-say.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import styles from '../saml-configs.module.css'
import { useSayOfKind } from '../sign-ins/say-of-kind.ts'

interface ValuesProps {
  of: SamlConfigDetails['serviceProvider']
  /** The identity provider, where it was chosen before. */
  product?: string | undefined
}

/** What the company enters at its identity provider. */
export function ServiceProviderValues({ of, product }: ValuesProps) {
  const { entityId, acsUrl, sloUrl, startUrl } = of
  const { t } = useTranslation()
  const say = useSay()
  const labels = { copyLabel: t('copy'), copiedLabel: t('copied') }
  return (
    <FieldGroup legend={t('serviceProvider')} hint={t('serviceProviderHint')}>
      <CopyField {...labels} label={t('serviceProviderEntityId')} value={entityId} />
      <CopyField {...labels} label={t('serviceProviderAcsUrl')} value={acsUrl} />
      <CopyField {...labels} label={t('serviceProviderSloUrl')} value={sloUrl} />
      <CopyField {...labels} label={t('companyStartUrl')} hint={t('companyStartUrlHint')} value={startUrl} />
      <div className={styles.sources}>
        <LinkButton href={new URL(entityId).pathname} download="vestibule-metadata.xml" icon={Download}>
          {t('setupDownloadMetadata')}
        </LinkButton>
      </div>
      <ProviderGuide
        guides={providerGuides(of)}
        otherGuide={otherGuide(of)}
        say={say}
        hint={t('samlGuideHint')}
        product={product}
      />
    </FieldGroup>
  )
}

/** The same for OpenID Connect. */
export function OidcClientValues({ of, form, product }: ValuesProps & { form: FormOf<typeof oidcConfigForm> }) {
  const { redirectUri, jwksUri, certificate, startUrl } = of
  const { t } = useTranslation()
  const byKey = useWatch({ control: form.form.control, name: 'clientKey' })
  const labels = { copyLabel: t('copy'), copiedLabel: t('copied') }
  return (
    <FieldGroup legend={t('serviceProvider')} hint={t('oidcServiceProviderHint')}>
      <CopyField {...labels} label={t('oidcRedirectUri')} value={redirectUri} />
      <CopyField {...labels} label={t('companyStartUrl')} hint={t('companyStartUrlHint')} value={startUrl} />
      {byKey && (
        <>
          <CopyField {...labels} label={t('clientJwks')} hint={t('clientJwksHint')} value={jwksUri} />
          <CopyField {...labels} label={t('clientCertificate')} hint={t('clientCertificateHint')} value={certificate} />
        </>
      )}
      <ProviderGuide
        guides={oidcGuides(of)}
        otherGuide={otherOidcGuide(of)}
        say={useSayOfKind('oidc')}
        hint={t('samlGuideHint')}
        product={product}
      />
    </FieldGroup>
  )
}
