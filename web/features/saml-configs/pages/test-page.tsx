import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { oidcConfigForm, oidcTests } from '#contract/saml-configs/oidc-configs.ts'
import { type SamlConfigDetails, samlConfigForm } from '#contract/saml-configs/saml-configs.ts'
import { type SamlTestResult, samlTests } from '#contract/saml-configs/saml-tests.ts'
import { call } from '#web/lib/requests/api.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { Received, TestChecks } from '#web/lib/saml/test-checks.tsx'
import styles from '#web/lib/saml/test-result.module.css'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/frame/page.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { oidcDraft } from '../form/oidc-config-dialog.tsx'
import { samlDraft } from '../form/saml-config-dialogs.tsx'
import formStyles from '../saml-configs.module.css'
import { failureAdvice } from '../sign-ins/failure-advice.ts'
import { keyOfKind, useSayOfKind } from '../sign-ins/say-of-kind.ts'
import { testProblemText } from '../sign-ins/test-sign-in.tsx'
import { AfterTest } from './after-test.tsx'
import { ConfigPage } from './config-page.tsx'

const route = getRouteApi('/saml-configuration/$samlConfigId/test')

/** Where a test sign-in begins, and where it ends: what was right, what was not, and what the identity provider sent. */
export function TestPage() {
  const { samlConfigId } = route.useParams()
  const { ticket } = route.useSearch()
  return (
    <ConfigPage samlConfigId={samlConfigId} heading="samlTestOf">
      {(config) => (
        <Card>
          <div className={styles.result}>
            {ticket ? <Result config={config} ticket={ticket} /> : <AfterTest config={config} result={undefined} />}
            <BeginTest config={config} again={ticket !== undefined} />
          </div>
        </Card>
      )}
    </ConfigPage>
  )
}

/** Tries the saved values, in this tab: the identity provider leads back here. */
function BeginTest({ config, again }: { config: SamlConfigDetails; again: boolean }) {
  const { t } = useTranslation()
  const { id, kind } = config
  const begin = useMutation({
    mutationFn: () =>
      kind === 'oidc'
        ? call(oidcTests.begin, { input: { ...oidcConfigForm.parse(oidcDraft.draftOf(config)), id } })
        : call(samlTests.begin, { input: { ...samlConfigForm.parse(samlDraft.draftOf(config)), id } }),
    onSuccess: ({ url }) => location.assign(url),
    meta: { inline: true },
  })
  return (
    <>
      <p>{t('samlTestSavedHint')}</p>
      <div>
        <Button
          variant={again ? 'secondary' : 'primary'}
          loading={begin.isPending || begin.isSuccess}
          onClick={() => begin.mutate()}
        >
          {t(again ? 'samlTestAgain' : 'samlTestBegin')}
        </Button>
      </div>
      <div aria-live="polite" className={formStyles.read}>
        {begin.error && <Alert tone="danger">{testProblemText(begin.error)}</Alert>}
      </div>
    </>
  )
}

function Result({ config, ticket }: { config: SamlConfigDetails; ticket: string }) {
  const { t } = useTranslation()
  const found = useQuery({
    ...freshQuery(samlTests.result, { params: { id: String(config.id) }, query: { ticket } }),
    retry: false,
  })
  if (!found.data && found.error instanceof ApiProblem && found.error.status === 404)
    return <Alert tone="warn">{t('samlTestGone')}</Alert>
  return (
    <Loaded
      query={found}
      skeleton={
        <SkeletonGroup label={t('loading')}>
          <Skeleton shape="row" count={6} />
        </SkeletonGroup>
      }
    >
      {(result) => <TestResult config={config} result={result} />}
    </Loaded>
  )
}

function TestResult({ config, result }: { config: SamlConfigDetails; result: SamlTestResult }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { kind, at, passed, checks, received, person } = result
  const say = useSayOfKind(kind)
  return (
    <>
      <h2>{t('samlTestResult')}</h2>
      <Alert tone={passed ? 'ok' : 'danger'} title={t(passed ? 'samlTestPassed' : 'samlTestFailed')}>
        {t('samlTestNothingWritten', { time: dateTimeText(at, language) })}
      </Alert>
      <AfterTest config={config} result={result} />
      <TestChecks
        checks={checks}
        say={say}
        advise={(failure) => t(keyOfKind(failureAdvice[failure], kind))}
        person={person && t('samlTestPersonFound', { email: person.email })}
      />
      <Received received={received} say={say} />
    </>
  )
}
