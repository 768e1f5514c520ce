import { useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { needsNumber } from '#contract/login-methods.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { NumberStatus } from '#web/lib/texts/number-status.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import styles from './account.module.css'
import type { useOwnDetails } from './use-own-details.ts'

interface OwnNumberFieldProps {
  form: ReturnType<typeof useOwnDetails>['form']
  isUnconfirmed: boolean
}

/** The own personal number. What is stored is shown without its last digits, until the person asks for it. */
export function OwnNumberField({ form: { form, field, register }, isUnconfirmed }: OwnNumberFieldProps) {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const props = field('ssn')
  const typed = useWatch({ control: form.control, name: 'ssn' })
  const masked = me.ssn && !open && !props.error && typed === me.ssn ? maskedNumber(me.ssn) : undefined
  const show = () => {
    setOpen(true)
    requestAnimationFrame(() => box.current?.querySelector('input')?.focus())
  }
  return (
    <Field
      {...props}
      hint={
        <>
          {t('ssnHint')} <NumberStatus confirmed={me.ssnConfirmed && !isUnconfirmed} />
        </>
      }
      optionalText={needsNumber(me.loginMethod) ? undefined : t('optional')}
    >
      <div ref={box} className={styles.number}>
        {masked ? (
          <>
            <TextInput key="masked" readOnly value={masked} />
            <Button onClick={show}>{t('showOwnNumber')}</Button>
          </>
        ) : (
          <TextInput
            key="typed"
            inputMode="numeric"
            autoComplete="off"
            // What is being typed stays as it is when it has been saved.
            onInput={() => setOpen(true)}
            {...register('ssn')}
          />
        )}
      </div>
    </Field>
  )
}

const maskedNumber = (ssn: string) => (/^\d{12}$/.test(ssn) ? `${ssn.slice(0, 8)}-****` : '****')
