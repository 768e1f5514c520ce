import Plus from 'lucide-react/icons/plus'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Trash2 from 'lucide-react/icons/trash'
import X from 'lucide-react/icons/x'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { LanguageSelect } from '#web/ui/frame/language-select.tsx'
import { Logo } from '#web/ui/frame/logo.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import styles from './kit.module.css'
import { languages } from './samples.ts'
import { Row, Specimen } from './specimen.tsx'

const colors = [
  'bg surface surface-2 overlay border border-strong text text-2 text-3',
  'accent accent-hover on-accent accent-text accent-soft focus',
  'chart-1 chart-2 chart-3 chart-4',
  'ok ok-soft warn warn-soft danger danger-hover danger-soft on-danger',
].flatMap((line) => line.split(' '))

export function Controls() {
  return (
    <>
      <Specimen name="Mark">
        {() => (
          <Row>
            <Logo size={24} />
            <Logo size={28} name="Vestibule" />
            <Logo size={40} />
          </Row>
        )}
      </Specimen>
      <Specimen name="Colours" note="Move the hue above: only the accent follows, and every pair keeps its contrast.">
        {() => (
          <div className={styles.colors}>
            {colors.map((name) => (
              <span key={name} className={styles.color} style={{ '--shown': `var(--${name})` } as React.CSSProperties}>
                {name}
              </span>
            ))}
          </div>
        )}
      </Specimen>
      <Specimen name="Type">
        {() => (
          <div className={styles.wide}>
            <p style={{ font: 'var(--bold) var(--fs-30)/var(--lh-30) var(--font)' }}>Page not found, 30</p>
            <p style={{ font: 'var(--bold) var(--fs-24)/var(--lh-24) var(--font)' }}>Välkommen till Fjällrå, 24</p>
            <p style={{ font: 'var(--bold) var(--fs-18)/var(--lh-18) var(--font)' }}>Käyttäjien hallinta, 18</p>
            <p>Réinitialiser le mot de passe, 15: the size of running text, at most 68 characters wide.</p>
            <p style={{ font: 'var(--regular) var(--fs-13)/var(--lh-13) var(--font)', color: 'var(--text-2)' }}>
              Hints, 13, and numbers in columns: 0123456789
            </p>
          </div>
        )}
      </Specimen>
      <Specimen name="Button" note="One primary in a view. A loading one keeps its label and width and ignores clicks.">
        {() => (
          <>
            <Row>
              <Button variant="primary">Save</Button>
              <Button>Cancel</Button>
              <Button variant="ghost">Clear</Button>
              <Button variant="danger">Delete</Button>
              <Button disabled>Disabled</Button>
            </Row>
            <Row>
              <Button variant="primary" loading>
                Save
              </Button>
              <Button loading>Send again</Button>
              <Button variant="danger" loading icon={Trash2}>
                Delete
              </Button>
            </Row>
            <Row>
              <Button variant="primary" icon={Plus}>
                Add user
              </Button>
              <LinkButton href="#controls" icon={RefreshCw}>
                A link
              </LinkButton>
              <Button size="small">Small</Button>
              <Button size="small" variant="ghost" icon={X}>
                Small ghost
              </Button>
              <IconButton icon={X} label="Close" />
            </Row>
          </>
        )}
      </Specimen>
      <Specimen name="Language select">
        {() => <LanguageSelect label="Language" languages={languages} defaultValue="sv" onChange={() => undefined} />}
      </Specimen>
    </>
  )
}
