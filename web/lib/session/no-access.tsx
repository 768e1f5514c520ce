import { createLink } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '#web/ui/button.tsx'
import { MessagePage } from '#web/ui/state.tsx'

const HomeLink = createLink(LinkButton)

/** In place of a page that is for other roles. */
export function NoAccess() {
  const { t } = useTranslation()
  return (
    <MessagePage
      title={t('noAccess')}
      action={
        <HomeLink to="/" variant="primary">
          {t('goHome')}
        </HomeLink>
      }
    >
      {t('noAccessText')}
    </MessagePage>
  )
}
