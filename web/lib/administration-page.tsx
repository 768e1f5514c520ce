import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Permission } from '#contract/permissions.ts'
import { Breadcrumb } from '#web/ui/breadcrumb.tsx'
import { PageHeading } from '#web/ui/page.tsx'
import { useCan } from './can.tsx'
import { NoAccess } from './no-access.tsx'
import { useSignedIn } from './signed-in.tsx'

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
  const { settled } = useSignedIn()
  if (!can(permission)) return settled ? <NoAccess /> : null
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
