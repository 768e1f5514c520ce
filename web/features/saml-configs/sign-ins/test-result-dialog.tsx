import { useQuery } from '@tanstack/react-query'
import { createLink, getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { oidcConfigs } from '#contract/saml-configs/oidc-configs.ts'
import { type SamlConfigKind, samlConfigs } from '#contract/saml-configs/saml-configs.ts'
import { type SamlTestResult, samlTests } from '#contract/saml-configs/saml-tests.ts'
import { useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Received, TestChecks } from '#web/lib/saml/test-checks.tsx'
import styles from '#web/lib/saml/test-result.module.css'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { failureAdvice } from './failure-advice.ts'
import { keyOfKind, useSayOfKind } from './say-of-kind.ts'

const route = getRouteApi('/saml-configuration/$samlConfigId/test')
const ConfigLink = createLink(LinkButton)

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
  const say = useSayOfKind(kind)
  return (
    <div className={styles.result}>
      <Alert tone={passed ? 'ok' : 'danger'} title={t(passed ? 'samlTestPassed' : 'samlTestFailed')}>
        {t('samlTestNothingWritten', { time: dateTimeText(at, language) })}
      </Alert>
      {passed && !result.active && <SwitchOn kind={kind} saved={result.saved} />}
      <TestChecks
        checks={checks}
        say={say}
        advise={(failure) => t(keyOfKind(failureAdvice[failure], kind))}
        person={person && t('samlTestPersonFound', { email: person.email })}
      />
      <Received received={received} say={say} />
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
