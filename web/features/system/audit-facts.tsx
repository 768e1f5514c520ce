import { useTranslation } from 'react-i18next'
import { dateLocales } from '#contract/languages.ts'
import type { SystemState } from '#contract/system/system.ts'
import { dateText, dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Badge } from '#web/ui/badge.tsx'
import { DescriptionList } from '#web/ui/description-list.tsx'
import styles from './system.module.css'

type Audit = SystemState['audit']

/** How far the audit log is sealed, when it was verified, and what was removed because of its age. */
export function AuditFacts({ audit }: { audit: Audit }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const number = new Intl.NumberFormat(dateLocales[language], { maximumFractionDigits: 1 })
  const { head, unsealed, unsealedSeconds, lastCheck, wholeCheckAt, lastRemoval } = audit
  return (
    <DescriptionList
      items={[
        { term: t('auditHead'), value: number.format(head) },
        {
          term: t('auditUnsealed'),
          value:
            unsealed === 0
              ? number.format(0)
              : t('auditUnsealedSince', {
                  events: number.format(unsealed),
                  seconds: number.format(unsealedSeconds),
                }),
        },
        { term: t('auditLastCheck'), value: lastCheck ? <LastCheck check={lastCheck} /> : t('auditNeverChecked') },
        ...(wholeCheckAt ? [{ term: t('auditWholeCheck'), value: dateTimeText(wholeCheckAt, language) }] : []),
        {
          term: t('auditLastRemoval'),
          value: lastRemoval
            ? t('auditRemoved', {
                date: dateTimeText(lastRemoval.at, language),
                events: number.format(lastRemoval.removed),
              })
            : t('auditNeverRemoved'),
        },
        ...(lastRemoval
          ? [
              { term: t('auditChangesFrom'), value: dateText(lastRemoval.changesBefore, language) },
              { term: t('auditSignInsFrom'), value: dateText(lastRemoval.signInsBefore, language) },
              { term: t('auditUnknownSignInsFrom'), value: dateText(lastRemoval.unknownSignInsBefore, language) },
            ]
          : []),
      ]}
    />
  )
}

function LastCheck({ check: { at, seq, fault } }: { check: NonNullable<Audit['lastCheck']> }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const row = new Intl.NumberFormat(dateLocales[language]).format(seq)
  return (
    <span className={styles.badges}>
      {dateTimeText(at, language)}
      <Badge tone={fault === null ? 'ok' : 'danger'}>
        {t(fault === null ? 'auditCheckIntact' : 'auditCheckBroken', { row })}
      </Badge>
      {fault !== null && <code lang="en">{fault}</code>}
    </span>
  )
}
