import { useEffect, useRef, useState } from 'react'
import type { LogoutState } from '#contract/sign-in/sign-in.ts'
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
  const { services, onward } = useToldServices()
  const frames = services.flatMap(({ frame }) => frame ?? [])
  const loaded = useRef(0)
  const count = () => {
    loaded.current += 1
    // Without this the page goes on by itself, a little later.
    if (onward && loaded.current === frames.length) location.assign(onward)
  }
  return (
    <AuthCard large title={title} intro={t('signedOutText')}>
      {services.length > 0 && (
        <section aria-label={t('services')} aria-live="polite">
          <ul className={styles.services}>
            {services.map(({ key, name, state, frame }) => (
              <li key={key}>
                <strong>{name}</strong>
                <span>{t(state === 'untold' && frame ? 'serviceAskedInBrowser' : stateTexts[state])}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {frames.map((frame) => (
        <iframe
          key={frame}
          src={frame}
          title={t('services')}
          hidden
          sandbox="allow-same-origin allow-scripts"
          onLoad={count}
        />
      ))}
      <LinkButton href="/" variant="primary" full>
        {t('logInAgain')}
      </LinkButton>
    </AuthCard>
  )
}

interface ToldService {
  key: string
  name: string
  state: LogoutState
  frame: string | null
}

/** Looks until every service has answered. Without a network the page says what it knows. */
function useToldServices() {
  const [told, setTold] = useState<{ services: ToldService[]; onward: string | null }>({ services: [], onward: null })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let left = looks
    const look = async () => {
      const answer = await findToldServices().catch(() => undefined)
      // Two clients may bear one name; the order stays.
      if (answer)
        setTold({
          services: answer.services.map((service, place) => ({ ...service, key: `${place} ${service.name}` })),
          onward: answer.onward,
        })
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
  return told
}
