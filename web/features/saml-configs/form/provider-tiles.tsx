import { useTranslation } from 'react-i18next'
import type { SamlConfigKind } from '#contract/saml-configs/saml-configs.ts'
import { otherProduct } from '#web/lib/saml/provider-guide.tsx'
import { RadioCards } from '#web/ui/fields/radio-cards.tsx'

/** As the products write themselves. */
const products = ['Microsoft Entra ID', 'AD FS', 'Google Workspace', 'Okta', 'Keycloak']

interface TilesProps {
  value: string | undefined
  onChoose: (product: string) => void
}

/** Which product the organisation signs in by: it decides which steps are shown. */
export function ProviderTiles({ value, onChoose }: TilesProps) {
  const { t } = useTranslation()
  return (
    <RadioCards
      legend={t('providerChoice')}
      value={value ?? null}
      onChange={onChoose}
      options={[
        ...products.map((name) => ({ value: name, label: name })),
        { value: otherProduct, label: t('samlGuideOther') },
      ]}
    />
  )
}

interface ProtocolProps {
  value: SamlConfigKind
  onChoose: (kind: SamlConfigKind) => void
}

export function ProtocolChoice({ value, onChoose }: ProtocolProps) {
  const { t } = useTranslation()
  return (
    <RadioCards
      legend={t('samlConfigKind')}
      value={value}
      onChange={(chosen) => onChoose(chosen as SamlConfigKind)}
      options={[
        { value: 'saml', label: t('samlConfigKindSaml'), hint: t('samlConfigKindSamlHint') },
        { value: 'oidc', label: t('samlConfigKindOidc'), hint: t('samlConfigKindOidcHint') },
      ]}
    />
  )
}
