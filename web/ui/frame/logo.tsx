import styles from './logo.module.css'

interface LogoProps {
  /** The product's or the company's name, set beside the mark; without it the mark is decorative. */
  name?: string | undefined
  size?: 24 | 28 | 40 | undefined
}

/** The mark: a lit doorway at the end of a vaulted hall. It takes the brand's hue. */
export function Logo({ name, size = 28 }: LogoProps) {
  return (
    <span className={styles.logo} data-size={size}>
      <svg
        viewBox="0 0 32 32"
        width={`${size / 16}rem`}
        height={`${size / 16}rem`}
        aria-hidden="true"
        focusable="false"
      >
        <rect width="32" height="32" rx="8" className={styles.wall} />
        <path d="M8.5 25V14.5a7.5 7.5 0 0 1 15 0V25" className={styles.arch} />
        <path d="M13 25v-9.5a3 3 0 0 1 6 0V25z" className={styles.door} />
      </svg>
      {name && <span className={styles.name}>{name}</span>}
    </span>
  )
}
