import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessageKey } from '#contract/message-key.ts'
import type { ComboboxOption } from '#web/ui/fields/combobox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

// Loaded on demand: the combobox is as large as the rest of the dialog.
const Combobox = lazy(async () => ({ default: (await import('#web/ui/fields/combobox.tsx')).Combobox }))

interface AddFieldProps {
  id: string
  label: string
  hideLabel?: boolean
  placeholder: string
  emptyText: string
  options: readonly ComboboxOption[]
  /** Whether the value is in the list already; if so, `addedMessage` is shown. */
  added: (value: string) => boolean
  addedMessage: MessageKey
  onAdd: (option: ComboboxOption) => void
  onSearch?: ((text: string) => void) | undefined
}

/** Adds an option to a list as soon as it is chosen. A duplicate stays in the field with an error. */
export function AddField(props: AddFieldProps) {
  const { id, label, hideLabel = false, options, added, addedMessage, onAdd, ...look } = props
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const [refused, setRefused] = useState(false)
  useEffect(() => {
    // The option is in the list now: clear the field for the next one.
    if (chosen !== null && !refused) setChosen(null)
  }, [chosen, refused])
  const choose = (value: string | null) => {
    const option = options.find((one) => one.value === value)
    const twice = option !== undefined && added(option.value)
    setChosen(value)
    setRefused(twice)
    if (option && !twice) onAdd(option)
  }
  return (
    <Field id={id} label={label} hideLabel={hideLabel} error={refused ? t(addedMessage) : undefined}>
      <Suspense fallback={<Skeleton shape="control" />}>
        <Combobox
          {...look}
          options={options}
          value={chosen}
          onChange={choose}
          clearLabel={t('clearChoice')}
          openLabel={t('showChoices')}
        />
      </Suspense>
    </Field>
  )
}
