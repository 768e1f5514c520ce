import { useState } from 'react'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { PasswordInput } from '#web/ui/fields/password-input.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { giveProvider } from '../frame/calls.ts'
import styles from './setup.module.css'
import { Step, type StepProps, useSending } from './step.tsx'

const code = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' }

/** The organisation's OpenID Provider, and what it calls the portal. */
export function ProviderStep(props: StepProps) {
  const { setup, token, say, textOf, onChanged } = props
  const draft = setup.draft?.kind === 'oidc' ? setup.draft : undefined
  const [url, setUrl] = useState(draft?.url ?? '')
  const [clientId, setClientId] = useState(draft?.clientId ?? '')
  const [clientKey, setClientKey] = useState(draft?.clientKey ?? false)
  const [clientSecret, setClientSecret] = useState('')
  const [tried, setTried] = useState(false)
  const { send, sending, problem, forget } = useSending(props)
  const missing = (value: string) => (tried && !value.trim() ? textOf('required') : undefined)
  const give = () => {
    setTried(true)
    if (!url.trim() || !clientId.trim() || (!clientKey && !clientSecret)) return
    const form = { token, url: url.trim(), clientId: clientId.trim(), clientKey }
    void send(
      () => giveProvider({ ...form, clientSecret: clientKey ? null : clientSecret }),
      (changed) => {
        setClientSecret('')
        setTried(false)
        onChanged(changed)
      },
    )
  }
  const typed = (set: (value: string) => void) => (value: string) => {
    forget()
    set(value)
  }
  return (
    <Step title={say('setupStepProvider')}>
      <Field label={say('issuer')} error={missing(url) ?? problem}>
        <TextInput {...code} type="url" value={url} onChange={(event) => typed(setUrl)(event.target.value)} />
      </Field>
      <Field label={say('clientId')} error={missing(clientId)}>
        <TextInput {...code} value={clientId} onChange={(event) => typed(setClientId)(event.target.value)} />
      </Field>
      <Switch
        label={say('clientKey')}
        hint={say('setupProviderKeyHint')}
        checked={clientKey}
        onChange={(event) => setClientKey(event.target.checked)}
      />
      {!clientKey && (
        <Field label={say('clientSecret')} error={missing(clientSecret)}>
          <PasswordInput
            autoComplete="new-password"
            showLabel={say('showSecret')}
            value={clientSecret}
            onChange={(event) => typed(setClientSecret)(event.target.value)}
          />
        </Field>
      )}
      <div className={styles.buttons}>
        <Button loading={sending} onClick={give}>
          {say('setupProviderGive')}
        </Button>
      </div>
      <div aria-live="polite" className={styles.found}>
        {draft && <Alert tone="ok">{say('setupProviderGiven', { issuer: draft.url })}</Alert>}
      </div>
    </Step>
  )
}
