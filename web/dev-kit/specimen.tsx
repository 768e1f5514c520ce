import type { ReactNode } from 'react'
import styles from './kit.module.css'

export type Theme = 'light' | 'dark'
export const themes: readonly Theme[] = ['light', 'dark']

interface SpecimenProps {
  name: string
  note?: string
  /** Called once for each theme. Put the theme's name into landmark labels to keep them unique. */
  children: (theme: Theme) => ReactNode
}

export function Specimen({ name, note, children }: SpecimenProps) {
  return (
    <section className={styles.specimen} aria-label={name}>
      <h3>{name}</h3>
      {note && <p className={styles.note}>{note}</p>}
      <div className={styles.pair}>
        {themes.map((theme) => (
          <div key={theme} data-theme={theme} className={styles.swatch}>
            {children(theme)}
          </div>
        ))}
      </div>
    </section>
  )
}

export function Row({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>
}

export function Stack({ children }: { children: ReactNode }) {
  return <div className={styles.stack}>{children}</div>
}
