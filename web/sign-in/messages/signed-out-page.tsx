import { useEffect, useState } from 'react'
import type { LogoutState } from '#contract/sign-in.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { AuthCard } from '#web/ui/frame/auth-frame.tsx'
import { findToldServices } from '../frame/calls.ts'
import { usePublicPage } from '../frame/public-page.tsx'
import styles from './problem-pages.module.css'

/** Milliseconds between looks, and how many there are: a service that answers at all does so within seconds. */
const [pause, looks] = [1000, 15]

const stateTexts = {
  told: 'serviceTold',
  queued: 'serviceBeingTold',
  failed: 'serviceNotReached',
  untold: 'serviceUntold',
} as const satisfies Record<LogoutState, string>

/** After a sign-out that reaches services: which ones have confirmed it, and where the person has to sign out by hand. */
export function SignedOutPage() {
  const { t, title } = usePublicPage()
  const services = useToldServices()
  return (
    <AuthCard large title={title} intro={t('signedOutText')}>
      {services.length > 0 && (
        <section aria-label={t('services')} aria-live="polite">
          <ul className={styles.services}>
            {services.map(({ key, name, state }) => (
              <li key={key}>
                <strong>{name}</strong>
                <span>{t(stateTexts[state])}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <LinkButton href="/" variant="primary" full>
        {t('logInAgain')}
      </LinkButton>
    </AuthCard>
  )
}

/** Looks until every service has answered. Without a network the page says what it knows. */
function useToldServices() {
  const [services, setServices] = useState<{ key: string; name: string; state: LogoutState }[]>([])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let left = looks
    const look = async () => {
      const answer = await findToldServices().catch(() => undefined)
      // Two clients may bear one name; the order stays.
      if (answer)
        setServices(answer.services.map((service, place) => ({ ...service, key: `${place} ${service.name}` })))
      const waits = !answer || answer.services.some(({ state }) => state === 'queued')
      left -= 1
      if (waits && left > 0) timer = setTimeout(look, pause)
    }
    void look()
    return () => {
      left = 0
      clearTimeout(timer)
    }
  }, [])
  return services
}
