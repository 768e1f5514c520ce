import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { MissingService } from '#contract/launcher.ts'
import { RequestCard, ServiceGrid } from '#web/ui/service-card.tsx'
import styles from './launcher.module.css'
import { RequestButton } from './request-button.tsx'

interface RequestableServicesProps {
  services: readonly MissingService[]
  organizationId: string
}

/** What the organisation has and this person lacks, dimmed, each with a way to ask for it. */
export function RequestableServices({ services, organizationId }: RequestableServicesProps) {
  const { t } = useTranslation()
  const id = useId()
  if (services.length === 0) return null
  return (
    <section className={styles.group} aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        {t('requestableServices')}
      </h2>
      <ServiceGrid label={t('requestableServices')}>
        {services.map((service) => (
          <li key={service.serviceId}>
            <RequestCard
              name={service.name}
              icon={service.icon}
              text={service.description}
              problem={
                service.request?.refusedBecause && t('accessRefused', { reason: service.request.refusedBecause })
              }
              action={<RequestButton service={service} organizationId={organizationId} size="small" />}
            />
          </li>
        ))}
      </ServiceGrid>
    </section>
  )
}
