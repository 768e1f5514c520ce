import { createLink } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '#web/ui/button.tsx'
import { MessagePage } from '#web/ui/state.tsx'

const HomeLink = createLink(LinkButton)

export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <MessagePage
      code="404"
      title={t('pageNotFound')}
      action={
        <HomeLink to="/" variant="primary">
          {t('goHome')}
        </HomeLink>
      }
    >
      {t('pageNotFoundText')}
    </MessagePage>
  )
}
