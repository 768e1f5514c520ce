import styles from './brand-logo.module.css'

interface BrandLogoProps {
  /** The organisation's. */
  name: string
  /** Addresses of images. */
  logo: string
  darkLogo: string | null
  /** Not empty: on a dark page it stands on a light ground, because there is none for dark pages. */
  plate: string
  /** The theme of what it stands on, where that is not the browser's own. */
  theme?: 'light' | 'dark' | undefined
}

/** An organisation's logo, in a box that has its size before the image is there. */
export function BrandLogo({ name, logo, darkLogo, plate, theme }: BrandLogoProps) {
  return (
    <picture className={styles.box} data-plate={plate}>
      {theme === undefined && darkLogo && <source media="(prefers-color-scheme: dark)" srcSet={darkLogo} />}
      <img src={(theme === 'dark' && darkLogo) || logo} alt={name} />
    </picture>
  )
}
