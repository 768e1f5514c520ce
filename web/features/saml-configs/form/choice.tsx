import type { samlConfigForm } from '#contract/saml-configs/saml-configs.ts'
import type { FormOf } from '#web/lib/forms/form.ts'
import { Switch } from '#web/ui/fields/checkbox.tsx'

interface ChoiceProps {
  form: FormOf<typeof samlConfigForm>
  name:
    | 'assertsNumbers'
    | 'wantAssertionsSigned'
    | 'wantAuthnResponseSigned'
    | 'requestSigningEnabled'
    | 'encryptionEnabled'
    | 'cbcAllowed'
    | 'nameIdIsEmail'
    | 'postRequests'
    | 'postLogout'
  hint: string
}

/** A switch of the form. */
export function Choice({ form, name, hint }: ChoiceProps) {
  const { id, label, error } = form.field(name)
  return <Switch id={id} label={label} hint={hint} error={error} {...form.register(name)} />
}
