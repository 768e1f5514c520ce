import { useTranslation } from 'react-i18next'
import type { Seats } from '#contract/home/home.ts'
import styles from './home.module.css'

/** How many seats of each service are used; where there is a limit, also as a bar. The text says it all. */
export function SeatsFigure({ seats }: { seats: readonly Seats[] }) {
  const { t } = useTranslation()
  return (
    <article className={styles.figure}>
      <h3>{t('figureSeats')}</h3>
      {seats.length === 0 && <p className={styles.number}>{t('noServicesYet')}</p>}
      <ul className={styles.seats}>
        {seats.map(({ serviceId, name, seatsUsed: used, maxNumberOfUsers: limit }) => (
          <li key={serviceId}>
            <span className={styles.service}>{name}</span>
            <span className={styles.used}>
              {limit ? t('seatsUsedOf', { used, seats: limit }) : t('seatsUsedUnlimited', { count: used })}
            </span>
            {limit && (
              <svg className={styles.bar} aria-hidden="true">
                <rect width="100%" height="100%" rx="3" />
                <rect
                  width={`${Math.min(100, (100 * used) / limit)}%`}
                  height="100%"
                  rx="3"
                  data-full={used * 10 >= limit * 9 || undefined}
                />
              </svg>
            )}
          </li>
        ))}
      </ul>
    </article>
  )
}
