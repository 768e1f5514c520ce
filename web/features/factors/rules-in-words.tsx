import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { OwnFactors } from '#contract/factors/factors.ts'
import type { Language } from '#contract/languages.ts'
import { dayText } from '#web/lib/texts/dates.ts'
import { factorName } from '#web/lib/texts/factor-names.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import styles from './factors.module.css'

type Rules = OwnFactors['rules'][number]

/** What the organisations ask of a sign-in, to those whom it concerns. */
export function RulesInWords({ rules }: Pick<OwnFactors, 'rules'>) {
  const { t } = useTranslation()
  return rules.map((rule) => (
    <div key={rule.organizationId} className={styles.rules}>
      <h3>{t('rulesOf', { name: rule.name })}</h3>
      <RuleList rule={rule} />
    </div>
  ))
}

type Asked = Omit<Rules, 'organizationId' | 'name'>

/** What one organisation asks. */
export function RuleList({ rule }: { rule: Asked }) {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <ul>
      {sentencesOf(rule, t, language).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}

function sentencesOf(rule: Asked, t: TFunction, language: Language): string[] {
  const { secondFactors, strongAdminsFrom, isAdmin, sessionIdleMinutes, sessionMaxHours, maxPasswordAgeDays } = rule
  const names = secondFactors?.map((kind) => t(factorName(kind)))
  const list = names && new Intl.ListFormat(language, { type: 'disjunction' }).format(names)
  return [
    list !== undefined && t('ruleSecondFactors', { factors: list }),
    strongAdminsFrom !== null && isAdmin && t('ruleStrongAdmins', { day: dayText(strongAdminsFrom, language, 'full') }),
    sessionIdleMinutes !== null && t('ruleSessionIdle', { minutes: sessionIdleMinutes }),
    sessionMaxHours !== null && t('ruleSessionMax', { hours: sessionMaxHours }),
    maxPasswordAgeDays !== null && t('rulePasswordAge', { days: maxPasswordAgeDays }),
  ].filter((sentence) => sentence !== false)
}
