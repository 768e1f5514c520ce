import type { Ref } from 'react'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { problemId } from './form-problem.tsx'
import { usePublicPage } from './public-page.tsx'

interface EmailFieldProps {
  ref: Ref<HTMLInputElement>
  /** Key of what is wrong with the address. */
  mistake: string | undefined
  /** The form as a whole was refused. */
  invalid: boolean
  disabled?: boolean
  /** The browser's list offers passkeys, too. */
  passkeys?: boolean
  onChange: (address: string) => void
}

/** The address that a sign-in or a reset begins with. */
export function EmailField({ ref, mistake, invalid, disabled, passkeys, onChange }: EmailFieldProps) {
  const { t, messageText, data } = usePublicPage()
  return (
    <Field label={t('email')} id="email" error={mistake && messageText(mistake)}>
      <TextInput
        ref={ref}
        type="email"
        name="email"
        autoComplete={passkeys ? 'username webauthn' : 'username'}
        autoCapitalize="off"
        spellCheck={false}
        required
        maxLength={254}
        defaultValue={data.email}
        disabled={disabled}
        aria-describedby={problemId}
        aria-invalid={invalid}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
