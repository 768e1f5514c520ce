import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { factors, type OwnFactors as Own } from '#contract/factors/factors.ts'
import { isLocal } from '#contract/users/user-forms.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { Alert } from '#web/ui/alert.tsx'
import { Card } from '#web/ui/frame/page.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import styles from '#web/ui/things.module.css'
import { OwnApp } from './own-app.tsx'
import { OwnMailCodes } from './own-mail-codes.tsx'
import { OwnRecoveryCodes } from './own-recovery-codes.tsx'
import { RulesInWords } from './rules-in-words.tsx'
import { UsualFactor } from './usual-factor.tsx'

/** The person's second factors: those that there are, which one is asked for first, and what the organisations ask for. */
export function OwnFactors() {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const title = useId()
  const own = useQuery(freshQuery(factors.read))
  return (
    <Card>
      <section className={styles.section} aria-labelledby={title}>
        <div className={styles.heading}>
          <h2 id={title} tabIndex={-1}>
            {t('twoStep')}
          </h2>
          <p>{t('twoStepText')}</p>
        </div>
        {me.mustEnrol && (
          <Alert tone="warn">{t(me.superUser || me.portalRole ? 'twoStepMustText' : 'twoStepHelpedText')}</Alert>
        )}
        <Loaded query={own} skeleton={<FactorsSkeleton />}>
          {(loaded) => <Factors own={loaded} headingId={title} />}
        </Loaded>
      </section>
    </Card>
  )
}

function Factors({ own, headingId }: { own: Own; headingId: string }) {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  return (
    <>
      <ul>
        <OwnApp app={own.app} hasCodes={own.recoveryCodes !== null} headingId={headingId} />
        <OwnRecoveryCodes codes={own.recoveryCodes} />
        {(own.mail.off || own.mail.mayBeOff) && <OwnMailCodes off={own.mail.off} />}
      </ul>
      {own.mail.isAll && <Alert tone="info">{t('mailProvesBoth')}</Alert>}
      {isLocal(me.loginMethod) && <UsualFactor own={own} />}
      <RulesInWords rules={own.rules} />
    </>
  )
}

function FactorsSkeleton() {
  const { t } = useTranslation()
  return (
    <SkeletonGroup label={t('loading')}>
      <Skeleton shape="row" count={2} />
      <Skeleton shape="control" count={2} />
    </SkeletonGroup>
  )
}
