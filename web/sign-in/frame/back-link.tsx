import { LinkButton } from '#web/ui/button.tsx'
import { usePublicPage } from './public-page.tsx'

interface BackLinkProps {
  /** "Back" by default. */
  label?: string
  onLeave?: () => void
}

/** To the step before, with the address as it was typed. */
export function BackLink({ label, onLeave }: BackLinkProps) {
  const { t, data } = usePublicPage()
  return (
    <LinkButton href={`/interaction/${data.uid}?email=${data.emailParameter}`} full onClick={onLeave}>
      {label ?? t('back')}
    </LinkButton>
  )
}
