import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { giveMetadataAddress } from '../frame/calls.ts'
import styles from './setup.module.css'
import { type StepProps, useSending } from './step.tsx'

/** Metadata that the server fetches. */
export function AddressField(props: StepProps) {
  const { token, say, textOf, onChanged } = props
  const [address, setAddress] = useState('')
  const [missing, setMissing] = useState(false)
  const { send, sending, problem, forget } = useSending(props)
  const give = () => {
    setMissing(!address.trim())
    if (address.trim()) void send(() => giveMetadataAddress({ token, address: address.trim() }), onChanged)
  }
  return (
    <>
      <Field
        label={say('metadataAddress')}
        hint={say('metadataAddressHint')}
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
        <Button loading={sending} onClick={give}>
          {say('fetchMetadata')}
        </Button>
      </div>
    </>
  )
}
