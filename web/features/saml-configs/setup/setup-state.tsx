import { useTranslation } from 'react-i18next'
import type { SetupSummary } from '#contract/saml-setups/saml-setups.ts'
import { Badge } from '#web/ui/badge.tsx'

const looks = {
  open: { tone: 'neutral', text: 'setupStateOpen' },
  expired: { tone: 'neutral', text: 'setupStateExpired' },
  handedIn: { tone: 'warn', text: 'setupStateHandedIn' },
  approved: { tone: 'ok', text: 'setupStateApproved' },
  revoked: { tone: 'neutral', text: 'setupStateRevoked' },
} as const

/** The state of a draft, and who has to act next. A submitted draft can be approved after the link has expired. */
export function SetupState({ setup: { state, expiresAt } }: { setup: Pick<SetupSummary, 'state' | 'expiresAt'> }) {
  const { t } = useTranslation()
  const expired = state === 'open' && new Date(expiresAt) <= new Date()
  const { tone, text } = looks[expired ? 'expired' : state]
  return <Badge tone={tone}>{t(text)}</Badge>
}
