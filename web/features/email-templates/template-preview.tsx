import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  type EmailTemplateType,
  emailTemplateLabels,
  emailTemplates,
} from '#contract/email-templates/email-templates.ts'
import type { Language } from '#contract/languages.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import styles from './email-templates.module.css'
import type { TemplateView } from './email-templates-search.ts'

interface TemplatePreviewProps {
  type: EmailTemplateType
  language: Language
  view: TemplateView
  organizationId: string | undefined
}

/** A mail as its reader gets it: the subject, and the content as HTML of a width, or as plain text. */
export function TemplatePreview({ type, language, view, organizationId }: TemplatePreviewProps) {
  const { t } = useTranslation()
  const found = useQuery(query(emailTemplates.readText, { params: { type }, query: { language, organizationId } }))
  const address = `${emailTemplates.preview.url.replace('{type}', type)}?language=${language}${organizationId ? `&organizationId=${organizationId}` : ''}`
  const title = t('templatePreviewOf', { name: t(emailTemplateLabels[type]) })
  return (
    <section className={styles.mail} data-view={view} aria-label={title}>
      <Loaded
        query={found}
        skeleton={
          <SkeletonGroup label={t('loading')}>
            <div className={styles.loading}>
              <Skeleton shape="row" count={8} />
            </div>
          </SkeletonGroup>
        }
      >
        {({ subject, text }) => (
          <>
            <div className={styles.subject}>
              <span className={styles.term}>{t('templateSubject')}</span>
              <strong lang={language}>{subject}</strong>
            </div>
            {view === 'text' ? (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it
              <pre className={styles.text} lang={language} tabIndex={0}>
                {text}
              </pre>
            ) : (
              // A new frame for each mail: another address in the same frame would be a step of the browser's history.
              <iframe key={address} className={styles.frame} sandbox="" title={title} src={address} />
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}
