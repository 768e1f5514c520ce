import { useTranslation } from 'react-i18next'
import styles from './services-fields.module.css'

/** Seats in use as text; with a limit also as a bar, which is hidden from screen readers. */
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
