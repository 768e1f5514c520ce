import { useTranslation } from 'react-i18next'
import type { SetupDetails } from '#contract/saml-setups/saml-setups.ts'
import { Certificates } from '#web/lib/saml/certificates.tsx'
import { MetadataWarnings } from '#web/lib/saml/metadata-warnings.tsx'
import { TestChecks } from '#web/lib/saml/test-checks.tsx'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Alert } from '#web/ui/alert.tsx'
import { DescriptionList } from '#web/ui/description-list.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { failureAdvice } from '../sign-ins/failure-advice.ts'
import { keyOfKind, useSayOfKind } from '../sign-ins/say-of-kind.ts'

/** What the IT team gave, and whether a sign-in with it worked. */
export function SetupDraft({ setup: { draft, tested } }: { setup: SetupDetails }) {
  const { t } = useTranslation()
  const say = useSayOfKind(draft?.kind ?? 'saml')
  const language = useLanguage()
  if (!draft) return null
  const { kind } = draft
  const oidc = kind === 'oidc'
  return (
    <FieldGroup legend={t('setupDraft')}>
      <DescriptionList
        items={[
          { term: t('samlConfigKind'), value: t(oidc ? 'samlConfigKindOidc' : 'samlConfigKindSaml') },
          ...(oidc ? [] : [{ term: t('entityId'), value: draft.entityId }]),
          { term: t(oidc ? 'issuer' : 'samlUrl'), value: draft.url },
          ...(oidc
            ? [
                { term: t('clientId'), value: draft.clientId },
                {
                  term: t('clientAuthentication'),
                  value: draft.clientKey ? t('clientKey') : t('setupSecretGiven'),
                },
              ]
            : []),
          ...(draft.logoutUrl ? [{ term: t('samlLogoutUrl'), value: draft.logoutUrl }] : []),
        ]}
      />
      <Certificates states={draft.certificates} say={say} language={language} />
      <MetadataWarnings warnings={draft.warnings} say={say} language={language} />
      {tested ? (
        <>
          <Alert
            tone={tested.passed ? 'ok' : 'danger'}
            title={t(tested.passed ? 'setupTestPassed' : 'setupTestFailed')}
          >
            {dateTimeText(tested.at, language)}
          </Alert>
          {!tested.passed && (
            <TestChecks
              checks={tested.checks}
              say={say}
              advise={(failure) => t(keyOfKind(failureAdvice[failure], kind))}
            />
          )}
        </>
      ) : (
        <Alert tone="warn">{t('setupNoTest')}</Alert>
      )}
    </FieldGroup>
  )
}
