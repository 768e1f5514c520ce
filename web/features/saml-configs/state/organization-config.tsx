import { createLink } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { SamlConfigSummary } from '#contract/saml-configs/saml-configs.ts'
import type { SetupSummary } from '#contract/saml-setups/saml-setups.ts'
import { Alert } from '#web/ui/alert.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { SetupState } from '../setup/setup-state.tsx'
import { useConfigState } from './config-state.ts'

const ConfigLink = createLink(LinkButton)

/** The configuration that an organisation has. */
export function OrganizationConfig({ config }: { config: SamlConfigSummary }) {
  const { t } = useTranslation()
  const { tone, title } = useConfigState(config)
  const params = { samlConfigId: String(config.id) }
  return (
    <Alert
      tone={tone}
      title={t('signInConfigState', { name: config.name, state: title })}
      action={
        config.active ? (
          <ConfigLink to="/saml-configuration/$samlConfigId" params={params} size="small">
            {t('samlTestOpenConfig')}
          </ConfigLink>
        ) : (
          <ConfigLink to="/saml-configuration/$samlConfigId/test" params={params} search={{}} size="small">
            {t('samlTestBegin')}
          </ConfigLink>
        )
      }
    />
  )
}

/** The link that its IT has. */
export function OrganizationSetup({ setup }: { setup: SetupSummary }) {
  const { t } = useTranslation()
  return (
    <Alert
      tone={setup.state === 'handedIn' ? 'warn' : 'info'}
      title={t('setupLinkOfOrganization')}
      action={
        <ConfigLink to="/saml-configuration/setups/$setupId" params={{ setupId: setup.setupId }} size="small">
          {t(setup.state === 'handedIn' ? 'setupLookAtDraft' : 'setupOpenLink')}
        </ConfigLink>
      }
    >
      <SetupState setup={setup} />
    </Alert>
  )
}
