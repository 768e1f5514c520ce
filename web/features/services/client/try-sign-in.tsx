import { useMutation } from '@tanstack/react-query'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Info from 'lucide-react/icons/info'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import { clientTrials, type Trial, type TrialStep } from '#contract/service-clients/client-trial.ts'
import type { ServiceClient } from '#contract/service-clients/service-clients.ts'
import { call } from '#web/lib/requests/api.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { Icon } from '#web/ui/icon.tsx'
import styles from './client.module.css'

/** Signs the reader in by the saved client, and shows each step with what to do about a rule that fails. */
export function TrySignIn({ serviceId, client }: { serviceId: string; client: ServiceClient }) {
  const { t } = useTranslation()
  const [redirectUri, setRedirectUri] = useState(client.redirectUris[0] ?? '')
  const [scope, setScope] = useState(client.scopes.join(' '))
  const [resource, setResource] = useState('')
  const [pkce, setPkce] = useState(true)
  const run = useMutation({
    mutationFn: () =>
      call(clientTrials.run, {
        params: { id: serviceId },
        input: { redirectUri: redirectUri || undefined, scope, resource: resource || undefined, pkce },
      }),
  })
  return (
    <>
      <p>{t('tryText')}</p>
      {client.kind !== 'machine' && (
        <>
          <Field label={t('tryRedirectUri')} hint={t('tryRedirectUriHint')}>
            <TextInput
              value={redirectUri}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setRedirectUri(event.target.value)}
            />
          </Field>
          <Field label={t('tryScope')}>
            <TextInput
              value={scope}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setScope(event.target.value)}
            />
          </Field>
          <Switch label={t('tryPkce')} checked={pkce} onChange={(event) => setPkce(event.target.checked)} />
        </>
      )}
      {client.apis.length > 0 && (
        <Field label={t('tryResource')} hint={t('tryResourceHint')}>
          <Select value={resource} onChange={(event) => setResource(event.target.value)}>
            <option value="">{t('tryNoResource')}</option>
            {client.apis.map((api) => (
              <option key={api}>{api}</option>
            ))}
          </Select>
        </Field>
      )}
      <div className={styles.actions}>
        <Button variant="primary" loading={run.isPending} onClick={() => run.mutate()}>
          {t('tryIt')}
        </Button>
      </div>
      <div aria-live="polite">{run.data && <Report trial={run.data} />}</div>
    </>
  )
}

const stepTexts: Readonly<Record<TrialStep['step'], MessageKey>> = {
  request: 'tryStepRequest',
  token: 'tryStepToken',
  idToken: 'tryStepIdToken',
  userInfo: 'tryStepUserInfo',
  apiToken: 'tryStepApiToken',
  refresh: 'tryStepRefresh',
}
const adviceTexts: Readonly<Record<NonNullable<TrialStep['advice']>, MessageKey>> = {
  redirectUri: 'tryAdviceRedirectUri',
  noService: 'tryAdviceNoService',
  scope: 'tryAdviceScope',
  target: 'tryAdviceTarget',
  pkce: 'tryAdvicePkce',
  secret: 'tryAdviceSecret',
  ownKey: 'tryAdviceOwnKey',
  opaque: 'tryAdviceOpaque',
  app: 'tryAdviceApp',
  signIn: 'tryAdviceSignIn',
  other: 'tryAdviceOther',
}
const looks = {
  passed: { icon: CircleCheck, text: 'tryPassed' },
  failed: { icon: CircleAlert, text: 'tryFailed' },
  skipped: { icon: Info, text: 'trySkipped' },
} as const

function Report({ trial }: { trial: Trial }) {
  const { t } = useTranslation()
  const has = (one: TrialStep['outcome']) => trial.steps.some(({ outcome }) => outcome === one)
  const [failed, skipped] = [has('failed'), has('skipped')]
  return (
    <div className={styles.report}>
      {failed ? (
        <Alert tone="danger">{t('tryHasFailed')}</Alert>
      ) : skipped ? (
        <Alert tone="info">{t('tryHasSkipped')}</Alert>
      ) : (
        <Alert tone="ok">{t('tryHasPassed')}</Alert>
      )}
      <ol className={styles.steps}>
        {trial.steps.map(({ step, outcome, error, advice }) => (
          <li key={step} data-outcome={outcome}>
            <Icon of={looks[outcome].icon} size={20} />
            <div>
              <p>
                {t(stepTexts[step])} <span className={styles.outcome}>{t(looks[outcome].text)}</span>
              </p>
              {error && <code>{error}</code>}
              {advice && <p>{t(adviceTexts[advice])}</p>}
            </div>
          </li>
        ))}
      </ol>
      <Json title={t('tryRequest')} text={trial.request} />
      <Json title={t('tryTokens')} text={trial.tokens} />
      <Json title={t('tryIdToken')} text={trial.idToken} />
      <Json title={t('tryApiToken')} text={trial.apiToken} />
      <Json title={t('tryUserInfo')} text={trial.userInfo} />
    </div>
  )
}

function Json({ title, text }: { title: string; text: string | null }) {
  return text === null ? null : (
    <FieldGroup legend={title}>
      <pre className={styles.code}>{text}</pre>
    </FieldGroup>
  )
}
