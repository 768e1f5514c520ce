import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { todoPermissions } from '#contract/home/home.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { Figures } from './figures.tsx'
import sections from './section.module.css'
import { Todos } from './todos.tsx'

export interface AroundServicesProps extends ComponentProps<typeof Todos> {
  services: ReactNode
}

/** What needs doing above the services, because it waits, and the figures below them. */
export function AroundServices({ found, organizationId, services }: AroundServicesProps) {
  const { t } = useTranslation()
  const can = useCan()
  const asked =
    organizationId === undefined || Object.values(todoPermissions).some((one) => can(one, { organizationId }))
  return (
    <>
      {asked && <Todos found={found} organizationId={organizationId} />}
      <section className={sections.section}>
        <h2>{t('services')}</h2>
        {services}
      </section>
      <Figures found={found} />
    </>
  )
}
