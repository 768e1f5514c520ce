import { createLink } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Permission } from '#contract/permissions.ts'
import { Breadcrumb } from '#web/ui/breadcrumb.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { PageHeading } from '#web/ui/page.tsx'
import { MessagePage } from '#web/ui/state.tsx'
import { useCan } from './can.tsx'
import { useSignedIn } from './signed-in.tsx'

const HomeLink = createLink(LinkButton)

interface AdministrationPageProps {
  permission: Permission
  title: string
  /** The page's one primary action. */
  action?: ReactNode
  children: ReactNode
}

/** A page of the administration menu, for whom the permission lets in; everybody else is told so. */
export function AdministrationPage({ permission, title, action, children }: AdministrationPageProps) {
  const { t } = useTranslation()
  const can = useCan()
  const { organizations, failure } = useSignedIn()
  if (!can(permission)) return organizations || failure ? <NoAccess /> : null
  return (
    <>
      <PageHeading
        title={title}
        breadcrumb={
          <Breadcrumb label={t('breadcrumb')}>
            <span>{t('administration')}</span>
            <span aria-current="page">{title}</span>
          </Breadcrumb>
        }
        action={action}
      />
      {children}
    </>
  )
}

function NoAccess() {
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
