import { createLink } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { SamlConfigDetails } from '#contract/saml-configs/saml-configs.ts'
import { Alert } from '#web/ui/alert.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import styles from '../saml-configs.module.css'
import { useConfigState } from './config-state.ts'

const StateLink = createLink(LinkButton)

/** At the top of a configuration: how it stands, and the ways to its test and to its sign-ins. */
export function ConfigSummary({ config }: { config: SamlConfigDetails }) {
  const { t } = useTranslation()
  const { tone, title, facts } = useConfigState(config)
  const params = { samlConfigId: String(config.id) }
  return (
    <Alert
      tone={tone}
      title={title}
      action={
        <div className={styles.sources}>
          <StateLink to="/saml-configuration/$samlConfigId/test" params={params} search={{}} size="small">
            {t('samlTestBegin')}
          </StateLink>
          <StateLink to="/saml-configuration/$samlConfigId/sign-ins" params={params} size="small">
            {t('samlSignIns')}
          </StateLink>
        </div>
      }
    >
      <ul className={styles.facts}>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </Alert>
  )
}
