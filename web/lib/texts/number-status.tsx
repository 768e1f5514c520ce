import { useTranslation } from 'react-i18next'
import { Badge } from '#web/ui/badge.tsx'

/** Says whether a personal number is proven, or somebody entered it. Null without a number. */
export function NumberStatus({ confirmed }: { confirmed: boolean | null }) {
  const { t } = useTranslation()
  if (confirmed === null) return null
  return <Badge tone={confirmed ? 'ok' : 'warn'}>{t(confirmed ? 'ssnConfirmed' : 'ssnNotConfirmed')}</Badge>
}
