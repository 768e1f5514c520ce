import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SamlConfigDetails } from '#contract/saml-configs/saml-configs.ts'
import {
  type MetadataWatch,
  metadataAddressForm,
  samlMetadataAddress,
} from '#contract/saml-configs/saml-metadata-address.ts'
import { call } from '#web/lib/requests/api.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { messageText, useLanguage } from '#web/lib/texts/i18n.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import styles from '../saml-configs.module.css'
import { FederationFields } from './federation-fields.tsx'
import { NewCertificates } from './new-certificates.tsx'

/** Where the identity provider publishes its metadata, and what it said there when it was last read. */
export function MetadataWatchFields({ samlConfig }: { samlConfig: Pick<SamlConfigDetails, 'id' | 'version'> }) {
  const { t } = useTranslation()
  const params = { id: String(samlConfig.id) }
  const watch = useQuery(freshQuery(samlMetadataAddress.read, { params }))
  return (
    <FieldGroup legend={t('metadataWatch')} hint={t('metadataWatchHint')}>
      <Loaded query={watch} skeleton={<Skeleton shape="control" />}>
        {(found) => (
          <>
            <Address params={params} watch={found} />
            <LastRead watch={found} />
            <NewCertificates samlConfig={samlConfig} states={found.newCertificates} />
          </>
        )}
      </Loaded>
    </FieldGroup>
  )
}

function Address({ params, watch }: { params: { id: string }; watch: MetadataWatch }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [typed, setTyped] = useState(watch.address ?? '')
  const [signer, setSigner] = useState(watch.signer ?? '')
  const [mistake, setMistake] = useState<string>()
  const save = useMutation({
    mutationFn: async (address: string | null) => {
      await call(samlMetadataAddress.watch, { params, input: { address, signer: signer.trim() || null } })
      if (address !== null) await call(samlMetadataAddress.refresh, { params })
    },
    onSettled: () => client.invalidateQueries(),
    onSuccess: (_, address) => setTyped(address ?? ''),
    meta: { inline: true },
  })
  const submit = () => {
    const checked = metadataAddressForm.safeParse({ address: typed })
    setMistake(checked.error?.issues[0]?.message)
    if (checked.success && !save.isPending) save.mutate(checked.data.address)
  }
  const issue = save.error instanceof ApiProblem ? save.error.issues[0] : undefined
  const refused = issue ? messageText(issue.message) : save.error ? problemText(save.error) : undefined
  const ofAddress = issue?.path === 'signer' ? undefined : refused
  return (
    <>
      <Field label={t('metadataAddress')} error={mistake === undefined ? ofAddress : messageText(mistake)}>
        <TextInput
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setMistake(undefined)
            save.reset()
            setTyped(event.target.value)
          }}
        />
      </Field>
      <FederationFields
        signer={{
          value: signer,
          onChange: (value) => {
            save.reset()
            setSigner(value)
          },
          error: issue?.path === 'signer' ? refused : undefined,
        }}
      />
      <div className={styles.sources}>
        <Button loading={save.isPending} onClick={submit}>
          {t('metadataWatchSave')}
        </Button>
        {watch.address !== null && (
          <Button variant="ghost" disabled={save.isPending} onClick={() => save.mutate(null)}>
            {t('metadataWatchStop')}
          </Button>
        )}
      </div>
    </>
  )
}

function LastRead({ watch: { checkedAt, problem, newCertificates } }: { watch: MetadataWatch }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const time = checkedAt ? dateTimeText(checkedAt, language) : ''
  return (
    <div aria-live="polite" className={styles.read}>
      {checkedAt && problem && (
        <Alert tone="warn" title={t('metadataCheckFailed', { time })}>
          {messageText(problem)}
        </Alert>
      )}
      {checkedAt && !problem && newCertificates.length === 0 && t('metadataCheckedAt', { time })}
    </div>
  )
}
