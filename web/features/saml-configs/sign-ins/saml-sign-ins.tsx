import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SamlConfigKind } from '#contract/saml-configs/saml-configs.ts'
import { maxSamlSignIns, type SamlSignIn, samlSignIns } from '#contract/saml-configs/saml-sign-ins.ts'
import { DayList } from '#web/lib/lists/day-list.tsx'
import { useSearchText } from '#web/lib/lists/use-search-text.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { failureTexts } from '#web/lib/saml/failure-texts.ts'
import { Badge } from '#web/ui/badge.tsx'
import styles from '#web/ui/day-list.module.css'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import { SearchInput } from '#web/ui/fields/search-input.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { failureAdvice } from './failure-advice.ts'
import { keyOfKind } from './say-of-kind.ts'

/** The sign-ins of the last days, to find out why a person could not sign in. */
export function SamlSignIns({ id, kind }: { id: string; kind: SamlConfigKind }) {
  const { t } = useTranslation()
  const [searchQuery, setSearchQuery] = useState('')
  const [text, setText, flush] = useSearchText(searchQuery, setSearchQuery)
  const [failedOnly, setFailedOnly] = useState(false)
  const list = useQuery({
    ...query(samlSignIns.list, {
      params: { id },
      query: { searchQuery, ...(failedOnly && { failed: 'true' as const }) },
    }),
    placeholderData: (before) => before,
  })
  return (
    <div className={styles.list}>
      <p className={styles.quiet}>{t('samlSignInsText')}</p>
      <SearchInput
        label={t('samlSignInsSearch')}
        clearLabel={t('clearSearch')}
        value={text}
        onChange={setText}
        onBlur={flush}
      />
      <Switch
        label={t('samlSignInsFailedOnly')}
        checked={failedOnly}
        onChange={(event) => setFailedOnly(event.target.checked)}
      />
      <Loaded
        query={list}
        skeleton={
          <SkeletonGroup label={t('loading')}>
            <Skeleton count={6} />
          </SkeletonGroup>
        }
      >
        {(rows) => (
          <>
            {rows.length === 0 && (
              <p role="status">{t(searchQuery || failedOnly ? 'samlSignInsNone' : 'samlSignInsEmpty')}</p>
            )}
            <DayList rows={rows} busy={list.isPlaceholderData}>
              {(signIn) => <SignInItem {...signIn} kind={kind} />}
            </DayList>
            {rows.length === maxSamlSignIns && (
              <p className={styles.quiet}>{t('samlSignInsFirst', { count: maxSamlSignIns })}</p>
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

function SignInItem({ email, failure, detail, created, reference, kind }: SamlSignIn & { kind: SamlConfigKind }) {
  const { t } = useTranslation()
  return (
    <>
      <p className={styles.person}>
        <span>{email ?? t('samlSignInUnknown')}</span>
        <Badge tone={failure ? 'danger' : 'ok'}>{t(failure ? 'samlSignInFailed' : 'samlSignInAccepted')}</Badge>
        {created && <Badge>{t('samlSignInCreated')}</Badge>}
      </p>
      {failure && (
        <>
          <p className={styles.failure}>{t(keyOfKind(failureTexts[failure], kind))}</p>
          <p>{t(keyOfKind(failureAdvice[failure], kind))}</p>
        </>
      )}
      {detail && (
        <p className={styles.quiet} lang="en">
          {detail}
        </p>
      )}
      <p className={styles.quiet}>{t('referenceId', { id: reference })}</p>
    </>
  )
}
