import { useQueries } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { launcher } from '#contract/launcher/launcher.ts'
import { query } from '#web/lib/requests/query.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { dayText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Card } from '#web/ui/frame/page.tsx'
import styles from '#web/ui/things.module.css'

/** What the person has for a time, with the last day of each: membership, role and services; nothing where nothing ends. */
export function OwnEnds() {
  const { t } = useTranslation()
  const language = useLanguage()
  const title = useId()
  const ends = useOwnEnds()
  if (ends.length === 0) return null
  return (
    <Card>
      <section className={styles.section} aria-labelledby={title}>
        <div className={styles.heading}>
          <h2 id={title}>{t('ownEnds')}</h2>
          <p>{t('ownEndsText')}</p>
        </div>
        <ul>
          {ends.map(({ key, name, place, day }) => (
            <li key={key} className={styles.row}>
              <div className={styles.about}>
                <p className={styles.name}>{name}</p>
                <p className={styles.facts}>
                  {place && <span>{place}</span>}
                  <span>{t('endsOn', { day: dayText(day, language, 'full') })}</span>
                </p>
              </div>
            </li>
          ))}
        </ul>
      </section>
    </Card>
  )
}

interface End {
  key: string
  name: string
  /** The organisation of a role or service. */
  place?: string
  day: string
}

/** The soonest first. What ends with the membership is not named again. */
function useOwnEnds(): readonly End[] {
  const { t } = useTranslation()
  const { me, organizations = [] } = useSignedIn()
  const own = organizations.filter(({ needs }) => needs === null)
  const services = useQueries({
    queries: own.map(({ organizationId }) =>
      query(launcher.services, { params: { accountId: me.accountId, organizationId } }),
    ),
  })
  return own
    .flatMap(({ organizationId, name, validUntil, roleUntil }, index): End[] => [
      ...(validUntil ? [{ key: organizationId, name, day: validUntil }] : []),
      ...(roleUntil
        ? [{ key: `${organizationId} role`, name: t('organizationAdmin'), place: name, day: roleUntil }]
        : []),
      ...(services[index]?.data ?? []).flatMap((one) =>
        one.endsOn && one.endsOn !== validUntil
          ? [{ key: `${organizationId} ${one.serviceId}`, name: one.name, place: name, day: one.endsOn }]
          : [],
      ),
    ])
    .sort((one, other) => (one.day < other.day ? -1 : 1))
}
