import { useMutation } from '@tanstack/react-query'
import FileUp from 'lucide-react/icons/file-up'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Issue } from '#contract/problem.ts'
import { samlConfigs } from '#contract/saml-configs/saml-configs.ts'
import {
  type IdentityProvider,
  type MetadataRead,
  maxMetadataLength,
  metadataText,
} from '#contract/saml-configs/saml-metadata.ts'
import { metadataAddressForm, samlMetadataAddress } from '#contract/saml-configs/saml-metadata-address.ts'
import { call } from '#web/lib/requests/api.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { MetadataWarnings } from '#web/lib/saml/metadata-warnings.tsx'
import { useSay } from '#web/lib/saml/use-say.ts'
import { xmlOf } from '#web/lib/saml/xml-of.ts'
import { messageText, useLanguage } from '#web/lib/texts/i18n.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import styles from '../saml-configs.module.css'
import { FederationFields } from './federation-fields.tsx'
import { ProviderChoice } from './provider-choice.tsx'

/** What was found, and how to read it again for one of several. */
interface Found extends MetadataRead {
  readAgain: (entityId: string) => void
}

const noAnswer: Issue = { path: 'address', message: '' }

/** Where metadata was read; undefined for a text or a file. */
export type MetadataSource = { address: string; signer: string | null } | undefined

interface MetadataReaderProps {
  onRead: (provider: IdentityProvider, source: MetadataSource) => void
}

/** Metadata of an identity provider, pasted or from a file: the server reads it, and the form is filled in with it. */
export function MetadataReader({ onRead }: MetadataReaderProps) {
  const { t } = useTranslation()
  const id = useId()
  const language = useLanguage()
  const picker = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const [address, setAddress] = useState('')
  const [entityId, setEntityId] = useState('')
  const [signer, setSigner] = useState('')
  const [addressProblem, setAddressProblem] = useState<Issue>()
  const [found, setFound] = useState<Found>()
  const say = useSay()
  const take = (readAgain: Found['readAgain'], read: MetadataRead, source?: MetadataSource) => {
    setFound({ ...read, readAgain })
    if (read.provider) onRead(read.provider, source)
  }
  const reading = useMutation({
    mutationFn: (input: { metadata: string; entityId?: string }) => call(samlConfigs.readMetadata, { input }),
    onMutate: () => setFound(undefined),
    onSuccess: (read, input) => take((entityId) => reading.mutate({ ...input, entityId }), read),
    onError: (error) => setProblem(error instanceof ApiProblem ? (error.issues[0]?.message ?? error.message) : ''),
    meta: { inline: true },
  })
  const read = (metadata: string) => {
    const checked = metadataText.safeParse(metadata)
    setProblem(checked.error?.issues[0]?.message)
    if (checked.success && !reading.isPending) reading.mutate({ metadata: checked.data })
  }
  const fetching = useMutation({
    mutationFn: (input: { address: string; entityId?: string; signer?: string }) =>
      call(samlMetadataAddress.fetch, { input }),
    onMutate: () => setFound(undefined),
    onSuccess: (read, input) =>
      take((entityId) => fetching.mutate({ ...input, entityId }), read, {
        address: input.address,
        signer: input.signer ?? null,
      }),
    onError: (error) =>
      setAddressProblem(
        error instanceof ApiProblem ? (error.issues[0] ?? { path: 'address', message: error.message }) : noAnswer,
      ),
    meta: { inline: true },
  })
  const fetchIt = () => {
    const checked = metadataAddressForm.safeParse({ address })
    const [mistake] = checked.error?.issues ?? []
    setAddressProblem(mistake && { path: 'address', message: mistake.message })
    if (!checked.success || fetching.isPending) return
    const ofFederation = {
      ...(entityId.trim() && { entityId: entityId.trim() }),
      ...(signer.trim() && { signer: signer.trim() }),
    }
    fetching.mutate({ address: checked.data.address, ...ofFederation })
  }
  const takeFile = async (file: File | undefined) => {
    if (!file) return
    // Four bytes for each character at most.
    if (file.size > 4 * maxMetadataLength) return setProblem('tooLong')
    const content = await xmlOf(file)
    setText(content)
    read(content)
  }
  const typed = (set: (value: string) => void) => (value: string) => {
    setAddressProblem(undefined)
    set(value)
  }
  const problemOf = (path: string) => (addressProblem?.path === path ? messageText(addressProblem.message) : undefined)
  return (
    <FieldGroup legend={t('metadataReader')} hint={t('metadataReaderHint')}>
      <Field label={t('metadataAddress')} hint={t('metadataAddressHint')} error={problemOf('address')}>
        <TextInput
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          value={address}
          onChange={(event) => typed(setAddress)(event.target.value)}
        />
      </Field>
      <FederationFields
        entityId={{ value: entityId, onChange: typed(setEntityId), error: problemOf('entityId') }}
        signer={{ value: signer, onChange: typed(setSigner), error: problemOf('signer') }}
      />
      <div className={styles.sources}>
        <Button loading={fetching.isPending} onClick={fetchIt}>
          {t('fetchMetadata')}
        </Button>
      </div>
      <Field id={id} label={t('metadata')} error={problem === undefined ? undefined : messageText(problem)}>
        <TextArea
          mono
          rows={4}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setProblem(undefined)
            setText(event.target.value)
          }}
        />
      </Field>
      <div className={styles.sources}>
        <Button loading={reading.isPending} onClick={() => read(text)}>
          {t('readMetadata')}
        </Button>
        <Button icon={FileUp} variant="ghost" onClick={() => picker.current?.click()}>
          {t('chooseMetadataFile')}
        </Button>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
          onChange={(event) => {
            void takeFile(event.target.files?.[0])
            // The same file again is a change too.
            event.target.value = ''
          }}
        />
      </div>
      <div aria-live="polite" className={styles.read}>
        {found?.provider && t('metadataRead')}
        <MetadataWarnings warnings={found?.provider?.warnings ?? []} say={say} language={language} />
      </div>
      {found && found.choices.length > 0 && <ProviderChoice choices={found.choices} onChoose={found.readAgain} />}
    </FieldGroup>
  )
}
