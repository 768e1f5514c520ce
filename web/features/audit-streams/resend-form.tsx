import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Attempt, type AuditStream, auditStreams } from '#contract/audit-streams/audit-streams.ts'
import { call } from '#web/lib/requests/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { FormActions, FormGrid } from '#web/ui/frame/page.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

const choices = { goOn: 'streamGoOn', fromSeq: 'streamFromNumber', from: 'streamFromTime', one: 'streamOne' } as const
type Choice = keyof typeof choices

interface ResendFormProps {
  stream: AuditStream
  loading: boolean
  /** Runs the call, which gives an attempt when one event was sent. */
  onSend: (send: () => Promise<Attempt | undefined>) => void
}

/** Sends events again: from a number or a moment on, or one. */
export function ResendForm({ stream, loading, onSend }: ResendFormProps) {
  const { t } = useTranslation()
  const waits = stream.stopped !== null || stream.failures > 0
  const [choice, setChoice] = useState<Choice>(waits ? 'goOn' : 'fromSeq')
  const [value, setValue] = useState('')
  const params = { id: stream.streamId }
  const send = async () => {
    if (choice === 'one') return call(auditStreams.resendOne, { params, input: { seq: Number(value) } })
    const input =
      choice === 'goOn'
        ? {}
        : choice === 'fromSeq'
          ? { fromSeq: Number(value) }
          : { from: new Date(value).toISOString() }
    await call(auditStreams.resend, { params, input })
    toasts.show({ tone: 'success', title: t('streamResends') })
    return undefined
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSend(send)
  }
  return (
    <form onSubmit={submit}>
      <FormGrid>
        <FormGrid columns>
          <Field label={t('streamResend')}>
            <Select
              value={choice}
              onChange={(event) => {
                setChoice(event.target.value as Choice)
                setValue('')
              }}
            >
              {(Object.keys(choices) as Choice[])
                .filter((one) => one !== 'goOn' || waits)
                .map((one) => (
                  <option key={one} value={one}>
                    {t(choices[one])}
                  </option>
                ))}
            </Select>
          </Field>
          {choice !== 'goOn' && (
            <Field label={t(choice === 'from' ? 'streamTime' : 'streamNumber')}>
              <TextInput
                type={choice === 'from' ? 'datetime-local' : 'number'}
                min={choice === 'from' ? undefined : 1}
                required
                value={value}
                onChange={(event) => setValue(event.target.value)}
              />
            </Field>
          )}
        </FormGrid>
        <FormActions>
          <Button type="submit" loading={loading}>
            {t('streamSend')}
          </Button>
        </FormActions>
      </FormGrid>
    </form>
  )
}
