import { useTranslation } from 'react-i18next'
import { type EditedTemplate, templateLabels } from '#contract/email-templates/template-editor.ts'
import type { TemplateText } from '#contract/email-templates/template-texts.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Button } from '#web/ui/button.tsx'
import { lineDifference } from './line-difference.ts'
import styles from './template-editor.module.css'

interface TemplateVersionsProps {
  template: EditedTemplate
  /** As it is being written. */
  text: TemplateText
  onRestore: (text: TemplateText) => void
}

/** What was published here before, each with its difference from the text that is being written. */
export function TemplateVersions({ template: { versions, inherited }, text, onRestore }: TemplateVersionsProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <section className={styles.versions} aria-label={t('templateVersions')}>
      <h2 className={styles.title}>{t('templateVersions')}</h2>
      {versions.length === 0 && <p className={styles.quiet}>{t('templateNoVersions')}</p>}
      {versions.map(({ number, publishedAt, publishedBy, text: stored }) => (
        <details key={number} className={styles.version}>
          <summary>
            {t('templateVersion', { number, date: dateTimeText(publishedAt, language), name: publishedBy })}
            {!stored && ` · ${t('templateStateInherited')}`}
          </summary>
          <Difference before={stored ?? inherited} after={text} />
          <Button size="small" onClick={() => onRestore(stored ?? inherited)}>
            {t('templateRestore')}
          </Button>
        </details>
      ))}
    </section>
  )
}

function Difference({ before, after }: { before: TemplateText; after: TemplateText }) {
  const { t } = useTranslation()
  const fields = (['subject', 'body', 'button'] as const).filter((name) => before[name] !== after[name])
  if (fields.length === 0) return <p className={styles.quiet}>{t('templateNoDifference')}</p>
  return (
    <>
      <p className={styles.quiet}>{t('templateDifference')}</p>
      {fields.map((name) => (
        <div key={name} className={styles.difference}>
          <strong>{t(templateLabels[name])}</strong>
          {lineDifference(before[name], after[name]).map(({ kind, text }, index) => {
            const Tag = kind === 'removed' ? 'del' : kind === 'added' ? 'ins' : 'span'
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing else to tell them apart
            return <Tag key={index}>{text || '\u00a0'}</Tag>
          })}
        </div>
      ))}
    </>
  )
}
