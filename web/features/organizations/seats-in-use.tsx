import { useTranslation } from 'react-i18next'
import styles from './services-fields.module.css'

/** How many seats are taken, in words; with a limit also as a bar, which the words make superfluous for readers of the page. */
export function SeatsInUse({ used, seats }: { used: number; seats: number | null }) {
  const { t } = useTranslation()
  const limited = seats !== null && seats > 0
  return (
    <div className={styles.seats}>
      <span>{limited ? t('seatsUsedOf', { used, seats }) : t('seatsUsedUnlimited', { count: used })}</span>
      {limited && (
        <span className={styles.bar} aria-hidden="true">
          <span
            className={styles.used}
            data-full={used >= seats || undefined}
            style={{ inlineSize: `${Math.min(100, (used / seats) * 100)}%` }}
          />
        </span>
      )}
    </div>
  )
}
