import { useState } from 'react'
import { Select } from '#web/ui/fields/select.tsx'
import { Logo } from '#web/ui/frame/logo.tsx'
import { ToastRegion } from '#web/ui/toast/toast-region.tsx'
import { Charts } from './charts.tsx'
import { Controls } from './controls.tsx'
import { Data } from './data.tsx'
import { Fields } from './fields.tsx'
import styles from './kit.module.css'
import { Messages } from './messages.tsx'
import { Overlays } from './overlays.tsx'
import { Row } from './specimen.tsx'
import { views } from './views.tsx'

const chapters = [
  { id: 'controls', title: 'Ground and buttons', content: Controls },
  { id: 'fields', title: 'Fields', content: Fields },
  { id: 'messages', title: 'Messages', content: Messages },
  { id: 'data', title: 'Data', content: Data },
  { id: 'charts', title: 'Charts', content: Charts },
  { id: 'overlays', title: 'Above the page', content: Overlays },
]

export function KitPage({ theme, setTheme }: { theme: string; setTheme: (theme: string) => void }) {
  const [hue, setHue] = useState(262)
  const paint = (next: number) => {
    setHue(next)
    document.documentElement.style.setProperty('--brand-h', String(next))
  }
  return (
    <>
      <header className={styles.bar}>
        <Logo name="Nord" />
        <div className={styles.tools}>
          <label>
            Brand hue
            <input
              className={styles.hue}
              type="range"
              min={0}
              max={355}
              step={5}
              value={hue}
              onChange={(event) => paint(event.target.valueAsNumber)}
            />
            <output>{hue}</output>
          </label>
          <label htmlFor="theme">
            Theme
            <Select id="theme" value={theme} onChange={(event) => setTheme(event.target.value)}>
              <option value="">System</option>
              <option value="light">Light</option>
              <option value="dark">Dark</option>
            </Select>
          </label>
        </div>
      </header>
      <main className={styles.page}>
        <h1>Nord, the design system of Vestibule</h1>
        <nav aria-label="Whole pages">
          <Row>
            {Object.keys(views).map((view) => (
              <a key={view} href={`?view=${view}`}>
                {view}
              </a>
            ))}
          </Row>
        </nav>
        {chapters.map(({ id, title, content: Content }) => (
          <section key={id} id={id} className={styles.chapter} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`}>{title}</h2>
            <Content />
          </section>
        ))}
      </main>
      <ToastRegion label="Notifications (F6)" closeLabel="Close" />
    </>
  )
}
