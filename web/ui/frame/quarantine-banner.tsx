import styles from './quarantine-banner.module.css'

/** Above everything, on every page of a restored copy that may not send anything yet. */
export function QuarantineBanner({ text }: { text: string }) {
  return (
    <p className={styles.banner} role="status">
      {text}
    </p>
  )
}
