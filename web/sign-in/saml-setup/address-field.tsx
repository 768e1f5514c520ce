import { useState } from 'react'
import type { OpenSetup } from '#contract/saml-setups/saml-setups.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { giveMetadataAddress } from '../frame/calls.ts'
import styles from './setup.module.css'
import { type StepProps, useSending } from './step.tsx'

interface AddressFieldProps extends StepProps {
  /** Takes what was read; the argument reads it again for one of several. */
  taken: (readAgain: (entityId: string) => void) => (setup: OpenSetup) => void
}

/** Metadata that the server fetches. */
export function AddressField(props: AddressFieldProps) {
  const { token, say, textOf, taken } = props
  const [address, setAddress] = useState('')
  const [missing, setMissing] = useState(false)
  const { send, sending, problem, forget } = useSending(props)
  const give = (entityId?: string) => {
    setMissing(!address.trim())
    if (!address.trim()) return
    const form = { token, address: address.trim(), ...(entityId && { entityId }) }
    void send(() => giveMetadataAddress(form), taken(give))
  }
  return (
    <>
      <Field
        label={say('metadataAddress')}
        hint={say('setupMetadataAddressHint')}
        error={missing ? textOf('required') : problem}
      >
        <TextInput
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          value={address}
          onChange={(event) => {
            setMissing(false)
            forget()
            setAddress(event.target.value)
          }}
        />
      </Field>
      <div className={styles.buttons}>
        <Button loading={sending} onClick={() => give()}>
          {say('fetchMetadata')}
        </Button>
      </div>
    </>
  )
}
