import { createLink, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { oidcConfigs } from '#contract/saml-configs/oidc-configs.ts'
import { type SamlConfigDetails, samlConfigs } from '#contract/saml-configs/saml-configs.ts'
import type { SamlTestResult } from '#contract/saml-configs/saml-tests.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import styles from '../saml-configs.module.css'
import { useConfigState } from '../state/config-state.ts'

const OrganizationLink = createLink(LinkButton)

interface AfterTestProps {
  config: SamlConfigDetails
  /** Undefined where nothing has been tested yet. */
  result: SamlTestResult | undefined
}

/** The one thing to do next: switch the configuration on, or go back to the organisation that it was made for. */
export function AfterTest({ config, result }: AfterTestProps) {
  const { t } = useTranslation()
  const { tone, title, facts } = useConfigState(config)
  if (result?.passed && !config.active)
    return result.saved ? <SwitchOn config={config} /> : <Alert tone="warn">{t('samlTestNotSaved')}</Alert>
  return (
    <Alert
      tone={tone}
      title={title}
      action={
        config.organizations.length > 0 && (
          <div className={styles.sources}>
            {config.organizations.map(({ organizationId, name, uses }) => (
              <OrganizationLink
                key={organizationId}
                size="small"
                to="/organization-settings/$organizationId"
                params={{ organizationId }}
                state={config.active && !uses ? { useSignIn: true } : {}}
              >
                {t('samlBackTo', { name })}
              </OrganizationLink>
            ))}
          </div>
        )
      }
    >
      {facts.join(' ')}
    </Alert>
  )
}

/** After a passed test of the saved values. Where one organisation waits for it, the way leads back there. */
function SwitchOn({ config }: { config: SamlConfigDetails }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const saml = useSave(samlConfigs.update)
  const oidc = useSave(oidcConfigs.update)
  const update = config.kind === 'oidc' ? oidc : saml
  const waiting = config.organizations.filter(({ uses }) => !uses)
  const only = waiting.length === 1 && config.organizations.length === 1 ? waiting[0] : undefined
  // A failure is a toast.
  const switchOn = async () => {
    await update.mutateAsync({ input: { id: config.id, active: true } })
    if (!only) return
    const { organizationId } = only
    const state = { useSignIn: true } as const
    await navigate({ to: '/organization-settings/$organizationId', params: { organizationId }, state })
  }
  return (
    <Alert
      tone="info"
      action={
        <Button variant="primary" loading={update.isPending} onClick={() => void switchOn().catch(() => undefined)}>
          {only ? t('samlSwitchOnAndBack', { name: only.name }) : t('samlConfigSwitchOn')}
        </Button>
      }
    >
      {t('samlConfigIsOff')}
    </Alert>
  )
}
