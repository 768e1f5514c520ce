import { type Ref, useState } from 'react'
import type { SecondFactorKind } from '#contract/second-factors.ts'
import { Alert } from '#web/ui/alert.tsx'
import { CodeInput } from '#web/ui/fields/code-input.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { usePublicPage } from '../frame/public-page.tsx'
import type { TextKey } from '../frame/text-keys.ts'
import { useHydrated } from '../frame/use-hydrated.ts'
import styles from './code-step.module.css'
import { type Delivery, OtherWays } from './other-ways.tsx'
import type { Code } from './use-code.ts'

interface CodeStepProps {
  ref: Ref<HTMLInputElement>
  code: Code
  hasPhoneNumber: boolean
  onSend: (by: Delivery) => Promise<void> | void
  onChange: () => void
  onComplete: (digits: string) => Promise<void> | void
  /** Asks for a passkey or security key. */
  onKey: () => Promise<void> | void
}

const notices: Partial<Record<SecondFactorKind, TextKey>> = {
  passkey: 'passkeyAsked',
  app: 'codeFromApp',
  email: 'codeSentByEmail',
  sms: 'codeSentBySms',
}

/** A code: of six digits, which was sent or which an app shows, or a recovery code. And the other ways. */
export function CodeStep({ ref, code, hasPhoneNumber, onSend, onChange, onComplete, onKey }: CodeStepProps) {
  const { t, messageText, data } = usePublicPage()
  const hydrated = useHydrated()
  const [recovering, setRecovering] = useState(false)
  const { sent, stuck, mistake } = code
  const known = sent?.by === null ? 'standInAsked' : sent?.by && notices[sent.by]
  const notice = sent?.withoutKey ? 'passkeyUnused' : (known ?? 'codeSentBefore')
  const type = (typed: string) => {
    code.type(typed)
    onChange()
  }
  const error = mistake && messageText(mistake)
  return (
    <>
      <div role="status" className={styles.notice}>
        {stuck ? (
          <Alert tone="warn">{t('smsNotSent')}</Alert>
        ) : (
          <p>{t(recovering ? 'recoveryCodeText' : notice, { email: data.email })}</p>
        )}
      </div>
      {(sent?.by === 'passkey' || sent?.by === null) && !recovering ? null : recovering ? (
        <Field label={t('recoveryCode')} id="code" error={error} says>
          <TextInput
            ref={ref}
            name="code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={64}
            value={code.digits}
            onChange={({ target }) => type(target.value)}
          />
        </Field>
      ) : (
        <Field label={t('code')} id="code" error={error} says>
          <CodeInput
            ref={ref}
            name="code"
            value={code.digits}
            onChange={type}
            onComplete={(digits) => void onComplete(digits)}
          />
        </Field>
      )}
      {hydrated && (
        <OtherWays
          code={code}
          hasPhoneNumber={code.kinds ? code.kinds.includes('sms') : hasPhoneNumber}
          hasMail={code.kinds ? code.kinds.includes('email') : true}
          onSend={(by) => {
            setRecovering(false)
            return onSend(by)
          }}
          onApp={
            code.kinds?.includes('app') && (recovering || sent?.by !== 'app')
              ? () => {
                  setRecovering(false)
                  code.ask('app')
                }
              : undefined
          }
          onKey={
            code.kinds?.includes('passkey') && (recovering || sent?.by !== 'passkey')
              ? () => {
                  setRecovering(false)
                  void onKey()
                }
              : undefined
          }
          onBankId={
            code.hasBankId
              ? () => location.assign(`?${new URLSearchParams({ email: data.email, method: 'bankid' })}`)
              : undefined
          }
          onRecover={
            code.hasRecoveryCodes && !recovering
              ? () => {
                  setRecovering(true)
                  code.type('')
                }
              : undefined
          }
        />
      )}
    </>
  )
}
