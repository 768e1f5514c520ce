import styles from './spinner.module.css'
import { useDelayedBusy } from './use-delayed-busy.ts'

interface SpinnerProps {
  /** For screen readers; leave it out where a text beside it says the same. */
  label?: string | undefined
  size?: 16 | 20 | 40 | undefined
}

/** The bare ring, at once and silent: for parts that decide themselves when to show it. */
export function SpinnerRing({ size = 16 }: { size?: 16 | 20 | 40 | undefined }) {
  return <span className={styles.ring} data-size={size} aria-hidden="true" />
}

/** A wait without a form of its own. Shows itself after 200 ms; where the shape is known, use a skeleton instead. */
export function Spinner({ label, size = 20 }: SpinnerProps) {
  const shown = useDelayedBusy(true)
  return (
    <span className={styles.spinner} role={label ? 'status' : undefined}>
      {shown && <SpinnerRing size={size} />}
      {shown && label && <span className="vh">{label}</span>}
    </span>
  )
}
