import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MissingService } from '#contract/launcher/launcher.ts'
import { Button } from '#web/ui/button.tsx'
import { RequestCard, ServiceGrid } from '#web/ui/service-card.tsx'
import styles from './launcher.module.css'
import { RequestButton } from './request-button.tsx'

/** Two rows on a wide screen. */
const few = 8

interface RequestableServicesProps {
  services: readonly MissingService[]
  /** Shows a few, until asked for the rest. */
  shorten: boolean
  organizationId: string
}

/** What the organisation has and this person lacks, dimmed, each with a way to ask for it. */
export function RequestableServices({ services, shorten, organizationId }: RequestableServicesProps) {
  const { t } = useTranslation()
  const id = useId()
  const place = useRef<HTMLElement>(null)
  const [all, setAll] = useState(false)
  useEffect(() => {
    // The button that showed the rest is gone; each card has one button.
    if (all) place.current?.querySelectorAll('button')[few]?.focus()
  }, [all])
  if (services.length === 0) return null
  const shown = shorten && !all ? services.slice(0, few) : services
  return (
    <section ref={place} className={styles.group} aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        {t('requestableServices')}
      </h2>
      <ServiceGrid label={t('requestableServices')}>
        {shown.map((service) => (
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
      {shown.length < services.length && (
        <div>
          <Button onClick={() => setAll(true)}>{t('showAllServices', { count: services.length })}</Button>
        </div>
      )}
    </section>
  )
}
