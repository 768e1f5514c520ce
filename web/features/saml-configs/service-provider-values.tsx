import { useTranslation } from 'react-i18next'
import type { SamlConfigDetails } from '#contract/saml-configs.ts'
import { ProviderGuide } from '#web/lib/saml/provider-guide.tsx'
import { useSay } from '#web/lib/saml/use-say.ts'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'

/** What the company enters at its identity provider. */
export function ServiceProviderValues({ of }: { of: SamlConfigDetails['serviceProvider'] }) {
  const { entityId, acsUrl } = of
  const { t } = useTranslation()
  const say = useSay()
  const labels = { copyLabel: t('copy'), copiedLabel: t('copied') }
  return (
    <FieldGroup legend={t('serviceProvider')} hint={t('serviceProviderHint')}>
      <CopyField {...labels} label={t('serviceProviderEntityId')} value={entityId} />
      <CopyField {...labels} label={t('serviceProviderAcsUrl')} value={acsUrl} />
      <ProviderGuide of={of} say={say} hint={t('samlGuideHint')} />
    </FieldGroup>
  )
}
