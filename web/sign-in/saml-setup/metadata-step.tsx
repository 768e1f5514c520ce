import FileUp from 'lucide-react/icons/file-up'
import { useRef, useState } from 'react'
import type { OpenSetup } from '#contract/saml-setups/saml-setups.ts'
import { Certificates } from '#web/lib/saml/certificates.tsx'
import { EntityChoice } from '#web/lib/saml/entity-choice.tsx'
import { MetadataWarnings } from '#web/lib/saml/metadata-warnings.tsx'
import { xmlOf } from '#web/lib/saml/xml-of.ts'
import { Button } from '#web/ui/button.tsx'
import { DescriptionList } from '#web/ui/description-list.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { giveMetadata } from '../frame/calls.ts'
import { AddressField } from './address-field.tsx'
import styles from './setup.module.css'
import { Step, type StepProps, useSending } from './step.tsx'

/** The server takes a quarter of it, in characters. */
const maxBytes = 1_000_000

/** The identity providers of metadata of several, and how to read it again for one of them. */
export interface Several {
  choices: OpenSetup['choices']
  readAgain: (entityId: string) => void
}

/** Metadata of the identity provider, pasted or from a file, and what the server read in it. */
export function MetadataStep(props: StepProps) {
  const { setup, token, say, textOf, language, onChanged } = props
  const picker = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [mistake, setMistake] = useState<'required' | 'tooLong'>()
  const { send, sending, problem, forget } = useSending(props)
  const [several, setSeveral] = useState<Several>()
  const taken = (readAgain: Several['readAgain']) => (changed: OpenSetup) => {
    setSeveral(changed.choices.length > 0 ? { choices: changed.choices, readAgain } : undefined)
    onChanged(changed)
  }
  const give = (metadata: string, entityId?: string) => {
    setMistake(metadata.trim() ? undefined : 'required')
    if (!metadata.trim()) return
    const done = taken((chosen) => give(metadata, chosen))
    void send(
      () => giveMetadata({ token, metadata, ...(entityId && { entityId }) }),
      (changed) => {
        if (changed.choices.length === 0) setText('')
        done(changed)
      },
    )
  }
  const take = async (file: File | undefined) => {
    if (!file) return
    if (file.size > maxBytes) return setMistake('tooLong')
    const content = await xmlOf(file)
    setText(content)
    give(content)
  }
  const draft = setup.draft?.kind === 'saml' ? setup.draft : undefined
  return (
    <Step title={say('setupStepMetadata')}>
      <AddressField {...props} taken={taken} />
      <Field
        label={say('metadata')}
        id="metadata"
        hint={say('setupMetadataHint')}
        error={mistake ? textOf(mistake) : problem}
      >
        <TextArea
          mono
          rows={5}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setMistake(undefined)
            forget()
            setText(event.target.value)
          }}
        />
      </Field>
      <div className={styles.buttons}>
        <Button loading={sending} onClick={() => give(text)}>
          {say('readMetadata')}
        </Button>
        <Button icon={FileUp} variant="ghost" onClick={() => picker.current?.click()}>
          {say('chooseMetadataFile')}
        </Button>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
          onChange={(event) => {
            void take(event.target.files?.[0])
            // The same file again is a change too.
            event.target.value = ''
          }}
        />
      </div>
      {several && (
        <EntityChoice
          {...several}
          label={say('metadataChoose')}
          button={say('readMetadata')}
          onChoose={several.readAgain}
        />
      )}
      <div aria-live="polite" className={styles.found}>
        {draft && (
          <>
            <h3>{say('setupMetadataRead')}</h3>
            <DescriptionList
              items={[
                { term: say('entityId'), value: draft.entityId },
                { term: say('samlUrl'), value: draft.url },
              ]}
            />
            <Certificates states={draft.certificates} say={say} language={language} />
            <MetadataWarnings warnings={draft.warnings} say={say} language={language} />
          </>
        )}
      </div>
    </Step>
  )
}
