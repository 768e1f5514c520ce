import styles from './qr-code.module.css'
import { qrPath } from './qr-path.ts'

interface QrCodeProps {
  /** What the code says; another value is drawn in place. */
  value: string
  /** What it is for, for those who cannot see it. */
  label: string
}

/** A QR code of 41 modules: dark on white in every theme, because readers expect it so. */
export function QrCode({ value, label }: QrCodeProps) {
  const { size, path } = qrPath(value)
  return (
    <svg className={styles.code} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  )
}

interface QrPlaceProps {
  children: React.ReactNode
}

/** A placeholder of the same size, before and after the code. */
export function QrPlace({ children }: QrPlaceProps) {
  return <div className={styles.place}>{children}</div>
}
