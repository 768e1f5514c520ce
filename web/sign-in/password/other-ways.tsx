import Fingerprint from 'lucide-react/icons/fingerprint-pattern'
import IdCard from 'lucide-react/icons/id-card'
import KeyRound from 'lucide-react/icons/key-round'
import Mail from 'lucide-react/icons/mail'
import MessageSquare from 'lucide-react/icons/message-square'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Smartphone from 'lucide-react/icons/smartphone'
import { useEffect, useState } from 'react'
import { waitText } from '#web/lib/texts/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { usePublicPage } from '../frame/public-page.tsx'
import styles from './code-step.module.css'
import type { Code } from './use-code.ts'

export type Delivery = 'email' | 'sms'

interface OtherWaysProps {
  code: Code
  hasPhoneNumber: boolean
  /** Not after a reset by mail, of somebody who has something else. */
  hasMail: boolean
  onSend: (by: Delivery) => Promise<void> | void
  /** Undefined for somebody without an app, or who is asked for its code. */
  onApp: (() => void) | undefined
  /** Likewise for passkeys and security keys. */
  onKey: (() => void) | undefined
  /** Likewise for recovery codes. */
  onRecover: (() => void) | undefined
  /** Undefined for somebody who has not proven the own number with it. */
  onBankId: (() => void) | undefined
}

/** Another code, by the same channel or another, and each other factor. A request during the cool-down is sent when it ends. */
export function OtherWays({
  code,
  hasPhoneNumber,
  hasMail,
  onSend,
  onApp,
  onKey,
  onRecover,
  onBankId,
}: OtherWaysProps) {
  const { t, language } = usePublicPage()
  const { sent, stuck, nextAt } = code
  const wait = { email: useSecondsUntil(nextAt.email), sms: useSecondsUntil(nextAt.sms) }
  const [wish, setWish] = useState<Delivery>()
  const by = sent && sent.by !== undefined ? sent.by : 'email'
  const own = by === 'email' || by === 'sms' ? by : undefined

  const ask = (by: Delivery) => {
    if (wait[by] > 0) return setWish(by)
    setWish(undefined)
    return void onSend(by)
  }
  const wishIsDue = wish !== undefined && wait[wish] === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: sends when the cool-down ends, not on other renders
  useEffect(() => {
    if (wish && wishIsDue) ask(wish)
  }, [wish, wishIsDue])

  const waitsFor = wish ?? own
  const seconds = waitsFor ? wait[waitsFor] : 0
  const when = waitText(seconds, language)
  return (
    <div className={styles.others}>
      <div className={styles.ways}>
        {own && !stuck && (
          <Button size="small" icon={RotateCw} onClick={() => ask(own)}>
            {t('sendNewCode')}
          </Button>
        )}
        {onKey && (
          <Button size="small" icon={Fingerprint} onClick={onKey}>
            {t('usePasskey')}
          </Button>
        )}
        {onApp && (
          <Button size="small" icon={Smartphone} onClick={onApp}>
            {t('useApp')}
          </Button>
        )}
        {own !== 'email' && hasMail && (
          <Button size="small" icon={Mail} onClick={() => ask('email')}>
            {t('sendByEmail')}
          </Button>
        )}
        {own !== 'sms' && hasPhoneNumber && (
          <Button size="small" icon={MessageSquare} onClick={() => ask('sms')}>
            {t('sendBySms')}
          </Button>
        )}
        {onRecover && (
          <Button size="small" icon={KeyRound} onClick={onRecover}>
            {t('useRecoveryCode')}
          </Button>
        )}
        {onBankId && (
          <Button size="small" icon={IdCard} onClick={onBankId}>
            {t('useBankId')}
          </Button>
        )}
      </div>
      {code.phoneUnconfirmed && <p className={styles.notice}>{t('phoneNotConfirmed')}</p>}
      {seconds > 0 && <p className={styles.wait}>{t(wish ? 'newCodeWillBeSent' : 'newCodeIn', { when })}</p>}
      {/* Announced once, while the text above counts down. */}
      <p className="vh" role="status">
        {wish && t('newCodeWillBeSent', { when: waitText(Math.ceil(seconds / 10) * 10, language) })}
      </p>
    </div>
  )
}

/** Whole seconds until then, counting down; 0 at the end. */
function useSecondsUntil(then: number): number {
  const secondsLeft = () => Math.max(0, Math.ceil((then - Date.now()) / 1000))
  const [seconds, setSeconds] = useState(secondsLeft)
  // biome-ignore lint/correctness/useExhaustiveDependencies: restarts when the end changes
  useEffect(() => {
    setSeconds(secondsLeft())
    const timer = setInterval(() => {
      const left = secondsLeft()
      setSeconds(left)
      if (left === 0) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [then])
  return seconds
}
