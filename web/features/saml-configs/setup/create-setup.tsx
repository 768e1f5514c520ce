import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { samlSetups } from '#contract/saml-setups/saml-setups.ts'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { OrganizationField } from '#web/lib/forms/organization-field.tsx'
import { call } from '#web/lib/requests/api.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'

interface CreateSetupProps {
  /** For whom; otherwise it is asked. */
  organization?: { organizationId: string; name: string }
  backLabel?: string
  onClose: CloseDialog
}

/** Makes a link for the IT of an organisation, and shows it once. */
export function CreateSetup({ organization, backLabel, onClose: close }: CreateSetupProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const client = useQueryClient()
  const [organizationId, choose] = useState(organization?.organizationId)
  const [missing, setMissing] = useState(false)
  const [directory, setDirectory] = useState(false)
  const create = useMutation({
    mutationFn: (chosen: string) => call(samlSetups.create, { input: { organizationId: chosen, directory } }),
    onSuccess: () => void client.invalidateQueries(),
    meta: { inline: true },
  })
  const made = create.data
  return (
    <Dialog
      open
      size="form"
      title={t('createSetupLink')}
      subtitle={organization?.name}
      closeLabel={t('close')}
      backLabel={backLabel}
      onClose={() => close()}
      initialFocus={made || organization ? 'title' : 'first'}
      form={{
        noValidate: true,
        onSubmit: (event) => {
          event.preventDefault()
          if (made || create.isPending) return
          setMissing(!organizationId)
          if (organizationId) create.mutate(organizationId)
        },
      }}
      footer={
        made ? (
          <Button variant="primary" onClick={() => close({ saved: true })}>
            {t('close')}
          </Button>
        ) : (
          <>
            <Button onClick={() => close()}>{t('cancel')}</Button>
            <Button type="submit" variant="primary" loading={create.isPending}>
              {t('create')}
            </Button>
          </>
        )
      }
    >
      {made ? (
        <>
          <Alert tone="warn" live="status">
            {t('setupLinkOnce', { time: dateTimeText(made.expiresAt, language) })}
          </Alert>
          <CopyField label={t('setupLink')} value={made.url} copyLabel={t('copy')} copiedLabel={t('copied')} />
        </>
      ) : (
        <>
          <p>{t('createSetupLinkText')}</p>
          {!organization && (
            <OrganizationField
              value={organizationId}
              onChoose={(chosen) => {
                setMissing(false)
                choose(chosen)
              }}
              error={missing ? t('required') : undefined}
              placeholder=""
            />
          )}
          <Checkbox
            label={t('setupLinkDirectory')}
            hint={t('setupLinkDirectoryHint')}
            checked={directory}
            onChange={({ target }) => setDirectory(target.checked)}
          />
          {create.error && (
            <Alert tone="danger" live="alert">
              {problemText(create.error)}
            </Alert>
          )}
        </>
      )}
    </Dialog>
  )
}
