import type { ReactNode } from 'react'
import type { SamlFailure } from '#contract/saml-configs/saml-sign-ins.ts'
import type { SamlTestCheck, SamlTestResult } from '#contract/saml-configs/saml-tests.ts'
import { Badge } from '#web/ui/badge.tsx'
import { DescriptionList } from '#web/ui/description-list.tsx'
import { failureTexts } from './failure-texts.ts'
import type { SamlTextKey, SaySaml } from './saml-texts.ts'
import styles from './test-result.module.css'

const checkTexts: Record<SamlTestCheck, SamlTextKey> = {
  certificate: 'samlTestCertificate',
  answer: 'samlTestAnswer',
  encryption: 'samlTestEncryption',
  signature: 'samlTestSignature',
  issuer: 'samlTestIssuer',
  destination: 'samlTestDestination',
  request: 'samlTestRequest',
  audience: 'samlTestAudience',
  time: 'samlTestTime',
  attributes: 'samlTestAttributes',
  person: 'samlTestPerson',
}
const looks = {
  passed: { tone: 'ok', text: 'samlTestStatusPassed' },
  warning: { tone: 'warn', text: 'samlTestStatusWarning' },
  failed: { tone: 'danger', text: 'samlTestStatusFailed' },
  notChecked: { tone: 'neutral', text: 'samlTestStatusNotChecked' },
} as const satisfies Record<SamlTestResult['checks'][number]['status'], { tone: string; text: SamlTextKey }>

interface TestChecksProps {
  checks: SamlTestResult['checks']
  say: SaySaml
  /** What the reader does about it. */
  advise: (failure: SamlFailure) => ReactNode
  /** Whom a sign-in would sign in. */
  person?: ReactNode
}

/** What a test sign-in looked at: right, or wrong with its cause. */
export function TestChecks({ checks, say, advise, person }: TestChecksProps) {
  return (
    <ol className={styles.checks}>
      {checks.map(({ check, status, failure, detail }) => (
        <li key={check}>
          <p className={styles.check}>
            <span>{say(checkTexts[check])}</span>
            <Badge tone={looks[status].tone}>{say(looks[status].text)}</Badge>
          </p>
          {failure && (
            <>
              <p>{say(failureTexts[failure])}</p>
              <p>{advise(failure)}</p>
              <p className={styles.quiet} lang="en">
                {detail}
              </p>
            </>
          )}
          {check === 'certificate' && status === 'warning' && <p>{say('samlTestCertificateEnded')}</p>}
          {check === 'person' && person && <p>{person}</p>}
        </li>
      ))}
    </ol>
  )
}

interface ReceivedProps {
  received: SamlTestResult['received']
  say: SaySaml
}

/** What the identity provider signed. */
export function Received({ received, say }: ReceivedProps) {
  return (
    <section className={styles.received}>
      <h3>{say('samlTestReceived')}</h3>
      {received ? (
        <>
          <p className={styles.quiet}>{say('samlTestReceivedHint')}</p>
          <DescriptionList
            items={[
              { term: say('samlTestReceivedIssuer'), value: received.issuer },
              { term: say('samlTestReceivedNameId'), value: received.nameId },
              ...received.attributes.map(({ name, values }) => ({ term: name, value: values.join(', ') || null })),
            ]}
          />
        </>
      ) : (
        <p>{say('samlTestNothingReceived')}</p>
      )}
    </section>
  )
}
