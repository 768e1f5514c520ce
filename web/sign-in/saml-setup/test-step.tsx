import FlaskConical from 'lucide-react/icons/flask-conical'
import type { SamlConfigKind } from '#contract/saml-configs/saml-configs.ts'
import type { SamlFailure } from '#contract/saml-configs/saml-sign-ins.ts'
import { Received, TestChecks } from '#web/lib/saml/test-checks.tsx'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { beginSetupTest } from '../frame/calls.ts'
import type { SetupTextKey } from '../frame/setup-text-keys.ts'
import { rememberToken } from './remembered-token.ts'
import { sayOfKind } from './say-of-kind.ts'
import styles from './setup.module.css'
import { Step, type StepProps, useSending } from './step.tsx'

/** What the IT does on its side. */
const advice: Partial<Record<SamlFailure, SetupTextKey>> = {
  malformed: 'setupAdviceMalformed',
  declined: 'setupAdviceDeclined',
  authnFailed: 'setupAdviceDeclined',
  requestDenied: 'setupAdviceDeclined',
  encrypted: 'setupAdviceEncrypted',
  signature: 'setupAdviceSignature',
  issuer: 'setupAdviceIssuer',
  destination: 'setupAdviceDestination',
  audience: 'setupAdviceAudience',
  clock: 'setupAdviceClock',
  otherRequest: 'setupAdviceRequest',
  attributes: 'setupAdviceAttributes',
}

/** Signs in at the identity provider in this tab, and comes back with what was right and what was not. */
export function TestStep(props: StepProps & { kind: SamlConfigKind }) {
  const { setup, token, say, language } = props
  const { send, sending, problem } = useSending(props)
  const { draft, tested, received } = setup
  const sayOf = sayOfKind(say, draft?.kind ?? 'saml')
  const begin = () =>
    send(
      () => beginSetupTest({ token }),
      ({ url }) => {
        rememberToken(token)
        location.assign(url)
      },
    )
  const advise = (failure: SamlFailure) => {
    const key = advice[failure]
    return key && say(key)
  }
  return (
    <Step title={say('setupStepTest')}>
      <p>{say(draft ? 'setupTestHint' : props.kind === 'oidc' ? 'setupNoProvider' : 'setupNoDraft')}</p>
      {draft && (
        <div className={styles.buttons}>
          <Button icon={FlaskConical} loading={sending} onClick={() => void begin()}>
            {say('samlTestBegin')}
          </Button>
        </div>
      )}
      <div role="alert" className={styles.found}>
        {problem && <Alert tone="danger">{problem}</Alert>}
      </div>
      {tested && (
        <div className={styles.found}>
          <Alert
            tone={tested.passed ? 'ok' : 'danger'}
            title={say(tested.passed ? 'samlTestPassed' : 'samlTestFailed')}
          >
            {say('setupTestedAt', { time: dateTimeText(tested.at, language) })}
          </Alert>
          <TestChecks checks={tested.checks} say={sayOf} advise={advise} />
          {received && <Received received={received} say={sayOf} />}
        </div>
      )}
    </Step>
  )
}
