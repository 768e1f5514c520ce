import { useMatch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Breadcrumb } from '#web/ui/frame/breadcrumb.tsx'
import { PageHeading } from '#web/ui/frame/page.tsx'
import { useCan } from './session/can.tsx'
import { NoAccess } from './session/no-access.tsx'
import { useSignedIn } from './session/signed-in.tsx'

interface AdministrationPageProps {
  /** What it is called where the declared title says too little; it names one thing. */
  heading?: ReactNode
  subtitle?: ReactNode
  /** Links between the menu and this page. */
  trail?: ReactNode
  /** The page's one primary action. */
  action?: ReactNode
  children: ReactNode
}

/** A page of the administration menu, as its room declares it. Who may not open it is told so. */
export function AdministrationPage({ heading, subtitle, trail, action, children }: AdministrationPageProps) {
  const { t } = useTranslation()
  const can = useCan()
  const { settled } = useSignedIn()
  const { title: key, permission } = useMatch({ strict: false, select: ({ staticData }) => staticData })
  const title = key && t(key)
  if (permission && !can(permission)) return settled ? <NoAccess /> : null
  return (
    <>
      <PageHeading
        title={heading ?? title}
        subtitle={subtitle}
        breadcrumb={
          <Breadcrumb label={t('breadcrumb')}>
            <span>{t('administration')}</span>
            {trail}
            <span aria-current="page">{title}</span>
          </Breadcrumb>
        }
        action={action}
      />
      {children}
    </>
  )
}
