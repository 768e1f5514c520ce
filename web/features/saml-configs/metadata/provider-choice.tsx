import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type MetadataChoice, maxMetadataChoices } from '#contract/saml-configs/saml-metadata.ts'
import { EntityChoice } from '#web/lib/saml/entity-choice.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const Combobox = lazy(async () => ({ default: (await import('#web/ui/fields/combobox.tsx')).Combobox }))

/** As many as one looks through without searching, and as many as a search lists. */
const [few, listed] = [15, 50]

interface ProviderChoiceProps {
  choices: readonly MetadataChoice[]
  onChoose: (entityId: string) => void
}

/** Which identity provider of several is meant: a list, and of a federation a search. */
export function ProviderChoice({ choices, onChoose }: ProviderChoiceProps) {
  const { t } = useTranslation()
  const [searched, search] = useState('')
  const [chosen, choose] = useState<string | null>(null)
  if (choices.length <= few)
    return <EntityChoice choices={choices} label={t('metadataChoose')} button={t('readMetadata')} onChoose={onChoose} />
  const words = searched.toLowerCase().split(/\s+/)
  const matching = choices.filter(({ entityId, displayName }) => {
    const text = `${displayName ?? ''} ${entityId}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const shown = matching.slice(0, listed)
  // What was chosen stays an option, whatever is searched next.
  const kept = choices.find(({ entityId }) => entityId === chosen)
  if (kept && !shown.includes(kept)) shown.push(kept)
  return (
    <Field
      label={t('metadataChoose')}
      hint={t(choices.length < maxMetadataChoices ? 'metadataChooseHint' : 'metadataChooseHintCut', {
        total: choices.length,
      })}
    >
      <Suspense fallback={<Skeleton shape="control" />}>
        <Combobox
          options={shown.map(({ entityId, displayName }) => ({
            value: entityId,
            label: displayName ?? entityId,
            hint: displayName === null ? undefined : entityId,
          }))}
          value={chosen}
          onChange={(entityId) => {
            choose(entityId)
            if (entityId !== null) onChoose(entityId)
          }}
          onSearch={search}
          emptyText={t('metadataChooseNone')}
          clearLabel={t('clearChoice')}
          openLabel={t('showChoices')}
        />
      </Suspense>
    </Field>
  )
}
