import { useState } from 'react'
import type { MetadataChoice } from '#contract/saml-configs/saml-metadata.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'

interface EntityChoiceProps {
  choices: readonly MetadataChoice[]
  label: string
  button: string
  onChoose: (entityId: string) => void
}

/** Which identity provider of several is meant. */
export function EntityChoice({ choices, label, button, onChoose }: EntityChoiceProps) {
  const [chosen, choose] = useState(choices[0]?.entityId ?? '')
  return (
    <>
      <Field label={label}>
        <Select value={chosen} onChange={(event) => choose(event.target.value)}>
          {choices.map(({ entityId, displayName }) => (
            <option key={entityId} value={entityId}>
              {displayName ? `${displayName} – ${entityId}` : entityId}
            </option>
          ))}
        </Select>
      </Field>
      <div>
        <Button onClick={() => onChoose(chosen)}>{button}</Button>
      </div>
    </>
  )
}
