import CircleCheck from 'lucide-react/icons/circle-check'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Info from 'lucide-react/icons/info'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import type { Trial, TrialStep } from '#contract/service-clients/client-trial.ts'
import type { ServiceClient } from '#contract/service-clients/service-clients.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { Icon } from '#web/ui/icon.tsx'
import styles from './client.module.css'
import type { RunningTrial } from './use-trial.ts'

/** Signs the reader in by the saved client, and shows each step with what to do about a rule that fails. */
export function TrySignIn({ running, client }: { running: RunningTrial; client: ServiceClient }) {
  const { t } = useTranslation()
  const { sent, change, start, trying, trial } = running
  return (
    <form
      noValidate
      className={styles.report}
      onSubmit={(event) => {
        event.preventDefault()
        if (!trying) start()
      }}
    >
      <FieldGroup legend={t('tryTab')} hint={t('tryText')}>
        {(client.kind !== 'machine' || client.apis.length > 0) && (
          <details className={styles.more}>
            <summary>{t('tryChange')}</summary>
            <div className={styles.moreFields}>
              {client.kind !== 'machine' && <RequestFields sent={sent} change={change} />}
              {client.apis.length > 0 && (
                <Field label={t('tryResource')} hint={t('tryResourceHint')}>
                  <Select value={sent.resource} onChange={(event) => change({ resource: event.target.value })}>
                    <option value="">{t('tryNoResource')}</option>
                    {client.apis.map((api) => (
                      <option key={api}>{api}</option>
                    ))}
                  </Select>
                </Field>
              )}
            </div>
          </details>
        )}
        <div className={styles.actions}>
          <Button type="submit" loading={trying}>
            {t('tryIt')}
          </Button>
        </div>
        <div aria-live="polite">{trial && <Report trial={trial} />}</div>
      </FieldGroup>
    </form>
  )
}

function RequestFields({ sent, change }: Pick<RunningTrial, 'sent' | 'change'>) {
  const { t } = useTranslation()
  return (
    <>
      <Field label={t('tryRedirectUri')} hint={t('tryRedirectUriHint')}>
        <TextInput
          value={sent.redirectUri}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change({ redirectUri: event.target.value })}
        />
      </Field>
      <Field label={t('tryScope')}>
        <TextInput
          value={sent.scope}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change({ scope: event.target.value })}
        />
      </Field>
      <Switch label={t('tryPkce')} checked={sent.pkce} onChange={(event) => change({ pkce: event.target.checked })} />
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
      {!trial.assigned && trial.steps.some(({ step }) => step === 'request') && (
        <Alert tone="info">{t('tryWithoutService')}</Alert>
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
    <details className={styles.more}>
      <summary>{title}</summary>
      <pre className={styles.code}>{text}</pre>
    </details>
  )
}
