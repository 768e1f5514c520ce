import { LinkButton } from '#web/ui/button.tsx'
import { usePublicPage } from './public-page.tsx'

/** To the step before, with the address as it was typed. */
export function BackLink() {
  const { t, data } = usePublicPage()
  return (
    <LinkButton href={`/interaction/${data.uid}?email=${data.emailParameter}`} full>
      {t('back')}
    </LinkButton>
  )
}
