import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import { useTranslation } from 'react-i18next'
import { type Placeholders, placeholdersIn } from '#contract/email-templates/template-texts.ts'
import { Icon } from '#web/ui/icon.tsx'
import styles from './template-editor.module.css'

interface PlaceholderListProps {
  placeholders: Placeholders
  /** Subject and text, as typed. */
  text: string
}

/** What may stand in a text, what must, and what is there: checked while it is typed. */
export function PlaceholderList({ placeholders, text }: PlaceholderListProps) {
  const { t } = useTranslation()
  const used = new Set(placeholdersIn(text))
  const unknown = [...used].filter((name) => !Object.hasOwn(placeholders, name))
  const known = Object.entries(placeholders).map(([name, { label, required }]) => {
    const there = used.has(name)
    const state = there ? 'placeholderUsed' : required ? 'placeholderLacking' : 'placeholderUnused'
    return { name, tone: there ? 'ok' : required ? 'danger' : 'none', label: t(label), state: t(state), required }
  })
  return (
    <section className={styles.placeholders} aria-label={t('placeholders')}>
      <h2 className={styles.title}>{t('placeholders')}</h2>
      <ul>
        {known.map(({ name, tone, label, state, required }) => (
          <li key={name} className={styles.placeholder} data-tone={tone}>
            <Icon of={tone === 'ok' ? CircleCheck : tone === 'danger' ? CircleAlert : CircleDashed} />
            <span>
              <code>{`{{${name}}}`}</code> {label}
              <span className={styles.state}>{required ? `${t('placeholderRequired')}, ${state}` : state}</span>
            </span>
          </li>
        ))}
        {unknown.map((name) => (
          <li key={`unknown-${name}`} className={styles.placeholder} data-tone="danger">
            <Icon of={CircleAlert} />
            <span>
              <code>{`{{${name}}}`}</code> <span className={styles.state}>{t('placeholderNotKnown')}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
