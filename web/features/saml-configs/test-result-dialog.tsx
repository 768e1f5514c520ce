import { useQuery } from '@tanstack/react-query'
import { createLink, getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import { oidcConfigs } from '#contract/oidc-configs.ts'
import { type SamlConfigKind, samlConfigs } from '#contract/saml-configs.ts'
import { type SamlTestCheck, type SamlTestResult, samlTests } from '#contract/saml-tests.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { dateTimeText } from '#web/lib/dates.ts'
import { useCloseDialog } from '#web/lib/dialog-route.ts'
import { useLanguage } from '#web/lib/i18n.ts'
import { LoadingDialog } from '#web/lib/loading-dialog.tsx'
import { freshQuery } from '#web/lib/query.ts'
import { useSave } from '#web/lib/use-save.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { DescriptionList } from '#web/ui/description-list.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { failureText } from './failure-texts.ts'
import styles from './test-result.module.css'

const route = getRouteApi('/saml-configuration/$samlConfigId/test')
const ConfigLink = createLink(LinkButton)

const checkTexts: Record<SamlTestCheck, MessageKey> = {
  certificate: 'samlTestCertificate',
  answer: 'samlTestAnswer',
  signature: 'samlTestSignature',
  issuer: 'samlTestIssuer',
  destination: 'samlTestDestination',
  request: 'samlTestRequest',
  audience: 'samlTestAudience',
  time: 'samlTestTime',
  attributes: 'samlTestAttributes',
  person: 'samlTestPerson',
}
const oidcCheckTexts: Partial<Record<SamlTestCheck, MessageKey>> = {
  signature: 'oidcTestSignature',
  audience: 'oidcTestAudience',
}
const looks = {
  passed: { tone: 'ok', text: 'samlTestStatusPassed' },
  warning: { tone: 'warn', text: 'samlTestStatusWarning' },
  failed: { tone: 'danger', text: 'samlTestStatusFailed' },
  notChecked: { tone: 'neutral', text: 'samlTestStatusNotChecked' },
} as const satisfies Record<SamlTestResult['checks'][number]['status'], { tone: string; text: MessageKey }>

/** Where a test sign-in ends: what was right, what was not, and what the identity provider sent. */
export function TestResultDialog() {
  const { t } = useTranslation()
  const { samlConfigId } = route.useParams()
  const { ticket = '' } = route.useSearch()
  const onClose = useCloseDialog('/saml-configuration')
  const found = useQuery({
    ...freshQuery(samlTests.result, { params: { id: samlConfigId }, query: { ticket } }),
    retry: false,
  })
  const shown = { size: 'wide' as const, title: t('samlTestResult'), onClose }
  const footer = (
    <ConfigLink to="/saml-configuration/$samlConfigId" params={{ samlConfigId }} search={{}} variant="primary">
      {t('samlTestOpenConfig')}
    </ConfigLink>
  )
  const { data, error } = found
  if (!data && error instanceof ApiProblem && error.status === 404)
    return (
      <Dialog open {...shown} closeLabel={t('close')} footer={footer}>
        <p>{t('samlTestGone')}</p>
      </Dialog>
    )
  return (
    <LoadingDialog query={found} {...shown}>
      {(result) => (
        <Dialog open {...shown} subtitle={result.name} closeLabel={t('close')} footer={footer}>
          <TestResult result={result} />
        </Dialog>
      )}
    </LoadingDialog>
  )
}

function TestResult({ result }: { result: SamlTestResult }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { kind, at, passed, checks, received, person } = result
  return (
    <div className={styles.result}>
      <Alert tone={passed ? 'ok' : 'danger'} title={t(passed ? 'samlTestPassed' : 'samlTestFailed')}>
        {t('samlTestNothingWritten', { time: dateTimeText(at, language) })}
      </Alert>
      {passed && !result.active && <SwitchOn kind={kind} saved={result.saved} />}
      <ol className={styles.checks}>
        {checks.map(({ check, status, failure, detail }) => (
          <li key={check}>
            <p className={styles.check}>
              <span>{t((kind === 'oidc' && oidcCheckTexts[check]) || checkTexts[check])}</span>
              <Badge tone={looks[status].tone}>{t(looks[status].text)}</Badge>
            </p>
            {failure && (
              <>
                <p>{t(failureText(failure, kind).failure)}</p>
                <p>{t(failureText(failure, kind).advice)}</p>
                <p className={styles.quiet} lang="en">
                  {detail}
                </p>
              </>
            )}
            {check === 'certificate' && status === 'warning' && <p>{t('samlTestCertificateEnded')}</p>}
            {check === 'person' && person && <p>{t('samlTestPersonFound', { email: person.email })}</p>}
          </li>
        ))}
      </ol>
      <section className={styles.received}>
        <h3>{t('samlTestReceived')}</h3>
        {received ? (
          <>
            <p className={styles.quiet}>{t('samlTestReceivedHint')}</p>
            <DescriptionList
              items={[
                { term: t(kind === 'oidc' ? 'issuer' : 'samlTestReceivedIssuer'), value: received.issuer },
                { term: t(kind === 'oidc' ? 'oidcTestReceivedSub' : 'samlTestReceivedNameId'), value: received.nameId },
                ...received.attributes.map(({ name, values }) => ({ term: name, value: values.join(', ') || null })),
              ]}
            />
          </>
        ) : (
          <p>{t('samlTestNothingReceived')}</p>
        )}
      </section>
    </div>
  )
}

/** After a passed test the configuration can be switched on, if it has the values that were tested. */
function SwitchOn({ kind, saved }: { kind: SamlConfigKind; saved: boolean }) {
  const { t } = useTranslation()
  const { samlConfigId } = route.useParams()
  const saml = useSave(samlConfigs.update)
  const oidc = useSave(oidcConfigs.update)
  const update = kind === 'oidc' ? oidc : saml
  if (!saved) return <Alert tone="warn">{t('samlTestNotSaved')}</Alert>
  return (
    <Alert
      tone="info"
      action={
        <Button
          variant="primary"
          loading={update.isPending}
          onClick={() => update.mutate({ input: { id: Number(samlConfigId), active: true } })}
        >
          {t('samlConfigSwitchOn')}
        </Button>
      }
    >
      {t('samlConfigIsOff')}
    </Alert>
  )
}
