import Mail from 'lucide-react/icons/mail'
import MessageSquare from 'lucide-react/icons/message-square'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { type Ref, useEffect, useState } from 'react'
import { waitText } from '#web/lib/texts/dates.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { CodeInput } from '#web/ui/fields/code-input.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { usePublicPage } from '../frame/public-page.tsx'
import { useHydrated } from '../frame/use-hydrated.ts'
import styles from './code-step.module.css'
import type { Code } from './use-code.ts'

type Delivery = 'email' | 'sms'

interface CodeStepProps {
  ref: Ref<HTMLInputElement>
  code: Code
  hasPhoneNumber: boolean
  onSend: (by: Delivery) => Promise<void> | void
  onChange: () => void
  onComplete: (digits: string) => Promise<void> | void
}

/** Six digits, how they were sent, and how to get others. */
export function CodeStep({ ref, code, hasPhoneNumber, onSend, onChange, onComplete }: CodeStepProps) {
  const { t, messageText, data } = usePublicPage()
  const hydrated = useHydrated()
  const { sent, stuck, mistake } = code
  const notice =
    sent?.by === 'email'
      ? t('codeSentByEmail', { email: data.email })
      : t(sent?.by === 'sms' ? 'codeSentBySms' : 'codeSentBefore')
  return (
    <>
      <div role="status" className={styles.notice}>
        {stuck ? <Alert tone="warn">{t('smsNotSent')}</Alert> : <p>{notice}</p>}
      </div>
      <Field label={t('code')} id="code" error={mistake && messageText(mistake)} says>
        <CodeInput
          ref={ref}
          name="code"
          value={code.digits}
          onChange={(digits) => {
            code.type(digits)
            onChange()
          }}
          onComplete={(digits) => void onComplete(digits)}
        />
      </Field>
      {hydrated && <OtherCodes code={code} hasPhoneNumber={hasPhoneNumber} onSend={onSend} />}
    </>
  )
}

/** Another code, by the same channel or the other. A request during the cool-down is sent when it ends. */
function OtherCodes({ code, hasPhoneNumber, onSend }: Pick<CodeStepProps, 'code' | 'hasPhoneNumber' | 'onSend'>) {
  const { t, language } = usePublicPage()
  const { sent, stuck, nextAt } = code
  const wait = { email: useSecondsUntil(nextAt.email), sms: useSecondsUntil(nextAt.sms) }
  const [wish, setWish] = useState<Delivery>()
  const own = sent?.by ?? 'email'
  const other = own === 'sms' ? 'email' : 'sms'

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

  const seconds = wait[wish ?? own]
  const when = waitText(seconds, language)
  return (
    <div className={styles.others}>
      <div className={styles.ways}>
        {!stuck && (
          <Button size="small" icon={RotateCw} onClick={() => ask(own)}>
            {t('sendNewCode')}
          </Button>
        )}
        {(other === 'email' || hasPhoneNumber) && (
          <Button size="small" icon={other === 'email' ? Mail : MessageSquare} onClick={() => ask(other)}>
            {t(other === 'email' ? 'sendByEmail' : 'sendBySms')}
          </Button>
        )}
      </div>
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
