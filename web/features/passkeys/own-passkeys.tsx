import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passkeys } from '#contract/passkeys/passkeys.ts'
import { OfferCodes } from '#web/lib/recovery-codes/offer-codes.tsx'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { AfterRemoval } from '#web/lib/session/after-removal.tsx'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, FormActions } from '#web/ui/frame/page.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import styles from '#web/ui/things.module.css'
import { PasskeyRow } from './passkey-row.tsx'
import { useAddPasskey } from './use-add-passkey.ts'
import { useSignals } from './use-signals.ts'

/** The person's passkeys and security keys, with buttons to add, rename and remove them. */
export function OwnPasskeys() {
  const { t } = useTranslation()
  const title = useId()
  const found = useQuery(freshQuery(passkeys.list))
  const adding = useAddPasskey()
  const [removed, setRemoved] = useState(false)
  useSignals(found.data?.signal)
  if (found.data && !found.data.allowed) return null
  return (
    <Card>
      <section className={styles.section} aria-labelledby={title}>
        <div className={styles.heading}>
          <h2 id={title} tabIndex={-1}>
            {t('passkeys')}
          </h2>
          <p>{t('passkeysText')}</p>
        </div>
        <Loaded query={found} skeleton={<PasskeysSkeleton />}>
          {({ passkeys: list }) =>
            list.length === 0 ? (
              <p>{t('noPasskeysYet')}</p>
            ) : (
              <ul>
                {list.map((one) => (
                  <PasskeyRow key={one.id} passkey={one} headingId={title} onRemoved={() => setRemoved(true)} />
                ))}
              </ul>
            )
          }
        </Loaded>
        {removed && <AfterRemoval onClose={() => setRemoved(false)} />}
        {adding.added && <OfferCodes />}
        <div role="alert">{adding.problem && <Alert tone="danger">{adding.problem}</Alert>}</div>
        <FormActions>
          <Button loading={adding.busy === 'passkey'} onClick={() => void adding.add('passkey')}>
            {t('addPasskey')}
          </Button>
          <Button loading={adding.busy === 'securityKey'} onClick={() => void adding.add('securityKey')}>
            {t('addSecurityKey')}
          </Button>
        </FormActions>
      </section>
    </Card>
  )
}

function PasskeysSkeleton() {
  const { t } = useTranslation()
  return (
    <SkeletonGroup label={t('loading')}>
      <Skeleton shape="row" count={2} />
    </SkeletonGroup>
  )
}
