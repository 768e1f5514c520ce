import { useTranslation } from 'react-i18next'
import type { SamlConfigState } from '#contract/saml-configs/saml-config-state.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import type { AlertTone } from '#web/ui/alert.tsx'

interface Shown {
  tone: AlertTone
  title: string
  facts: readonly string[]
}

const soon = 60 * 86_400_000

/** How a configuration stands: a line, and what to know beside it. */
export function useConfigState(config: SamlConfigState & { active: boolean }): Shown {
  const { t } = useTranslation()
  const language = useLanguage()
  const { active, lastSignIn, failuresOfDay, certificateEnd, organizations } = config
  const moment = (at: string) => dateTimeText(at, language)
  const ends = certificateEnd ? Date.parse(certificateEnd) - Date.now() : Number.POSITIVE_INFINITY
  const title = active
    ? lastSignIn
      ? t('samlStateLast', { time: moment(lastSignIn) })
      : t('samlStateNobodyYet')
    : t('samlStateOff')
  const names = organizations.map(({ name }) => name)
  return {
    tone: !active || failuresOfDay > 0 || ends < soon ? 'warn' : lastSignIn ? 'ok' : 'info',
    title,
    facts: [
      names.length > 0 ? t('samlStateOrganizations', { names: names.join(', ') }) : t('samlStateNoOrganization'),
      ...(certificateEnd ? [t(ends < 0 ? 'samlStateEnded' : 'samlStateEnds', { time: moment(certificateEnd) })] : []),
      ...(failuresOfDay > 0 ? [t('samlStateFailures', { count: failuresOfDay })] : []),
    ],
  }
}
