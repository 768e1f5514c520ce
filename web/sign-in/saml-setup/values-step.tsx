import { useState } from 'react'
import type { SamlConfigKind } from '#contract/saml-configs/saml-configs.ts'
import { oidcGuides, otherOidcGuide } from '#web/lib/saml/oidc-guides.ts'
import { otherProduct, ProviderGuide } from '#web/lib/saml/provider-guide.tsx'
import { otherGuide, providerGuides } from '#web/lib/saml/provider-guides.ts'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { RadioCards } from '#web/ui/fields/radio-cards.tsx'
import { sayOfKind } from './say-of-kind.ts'
import { Step, type StepProps } from './step.tsx'

type ServiceProvider = NonNullable<StepProps['setup']['serviceProvider']>

interface ValuesStepProps {
  step: StepProps
  serviceProvider: ServiceProvider
  kind: SamlConfigKind
  onChoose: (kind: SamlConfigKind) => void
}

/** What the IT enters on its side, for its product and protocol. */
export function ValuesStep({ step: { say }, serviceProvider, kind, onChoose }: ValuesStepProps) {
  const [product, setProduct] = useState<string>()
  const guides = kind === 'oidc' ? oidcGuides(serviceProvider) : providerGuides(serviceProvider)
  return (
    <Step title={say('setupStepValues')}>
      <RadioCards
        legend={say('providerChoice')}
        value={product ?? null}
        onChange={setProduct}
        options={[
          ...Object.keys(providerGuides(serviceProvider)).map((name) => ({ value: name, label: name })),
          { value: otherProduct, label: say('samlGuideOther') },
        ]}
      />
      <RadioCards
        legend={say('samlConfigKind')}
        value={kind}
        onChange={(chosen) => onChoose(chosen as SamlConfigKind)}
        options={[
          { value: 'saml', label: say('samlConfigKindSaml') },
          { value: 'oidc', label: say('samlConfigKindOidc') },
        ]}
      />
      {kind === 'oidc' ? <OidcValues of={serviceProvider} say={say} /> : <SamlValues of={serviceProvider} say={say} />}
      {product !== undefined && (
        <ProviderGuide
          // Not every product has steps for both protocols.
          product={Object.hasOwn(guides, product) ? product : otherProduct}
          guides={guides}
          otherGuide={kind === 'oidc' ? otherOidcGuide(serviceProvider) : otherGuide(serviceProvider)}
          say={sayOfKind(say, kind)}
          hint={say('setupGuideHint')}
        />
      )}
    </Step>
  )
}

interface ValuesProps extends Pick<StepProps, 'say'> {
  of: ServiceProvider
}

function SamlValues({ of: { entityId, acsUrl, sloUrl, startUrl }, say }: ValuesProps) {
  const labels = { copyLabel: say('copy'), copiedLabel: say('copied') }
  return (
    <>
      <CopyField {...labels} label={say('serviceProviderEntityId')} value={entityId} />
      <CopyField {...labels} label={say('serviceProviderAcsUrl')} value={acsUrl} />
      <CopyField {...labels} label={say('serviceProviderSloUrl')} value={sloUrl} />
      <CopyField {...labels} label={say('companyStartUrl')} hint={say('companyStartUrlHint')} value={startUrl} />
      <a href={new URL(entityId).pathname} download="vestibule-metadata.xml">
        {say('setupDownloadMetadata')}
      </a>
    </>
  )
}

function OidcValues({ of: { redirectUri, startUrl, jwksUri, certificate }, say }: ValuesProps) {
  const labels = { copyLabel: say('copy'), copiedLabel: say('copied') }
  return (
    <>
      <CopyField {...labels} label={say('oidcRedirectUri')} value={redirectUri} />
      <CopyField {...labels} label={say('companyStartUrl')} hint={say('companyStartUrlHint')} value={startUrl} />
      <CopyField {...labels} label={say('clientJwks')} hint={say('setupProviderKeyHint')} value={jwksUri} />
      <CopyField {...labels} label={say('clientCertificate')} value={certificate} />
    </>
  )
}
