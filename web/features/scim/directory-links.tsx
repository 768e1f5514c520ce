import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import LinkIcon from 'lucide-react/icons/link'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DirectorySetup, directorySetups } from '#contract/saml-setups/directory-setups.ts'
import { call } from '#web/lib/requests/api.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'

/** For an IT department without accounts: it makes the token itself. */
export function DirectoryLinks({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data: links = [] } = useQuery(freshQuery(directorySetups.list, { params: { id: organizationId } }))
  const create = useMutation({
    mutationFn: () => call(directorySetups.create, { params: { id: organizationId }, input: {} }),
    onSuccess: () => void client.invalidateQueries(),
  })
  return (
    <>
      <h3>{t('directoryLinks')}</h3>
      <p>{t('directoryLinksText')}</p>
      {links.map((link) => (
        <OpenLink key={link.setupId} organizationId={organizationId} link={link} />
      ))}
      <div>
        <Button icon={LinkIcon} loading={create.isPending} onClick={() => create.mutate()}>
          {t('createSetupLink')}
        </Button>
      </div>
      {create.data && <MadeLink made={create.data} onClose={create.reset} />}
    </>
  )
}

function OpenLink({ organizationId, link }: { organizationId: string; link: DirectorySetup }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [asking, setAsking] = useState(false)
  const revoke = useSave(directorySetups.revoke, { inline: true })
  const { setupId, signIn, expiresAt, madeBy } = link
  return (
    <>
      <Alert
        tone="info"
        title={t(signIn ? 'directoryLinkOfSignIn' : 'directoryLinkOpen', { time: dateTimeText(expiresAt, language) })}
        action={
          <Button size="small" onClick={() => setAsking(true)}>
            {t('setupRevoke')}
          </Button>
        }
      >
        {madeBy === null ? t('directoryLinkByOperator') : t('directoryLinkBy', { name: madeBy })}
      </Alert>
      <ConfirmDialog
        open={asking}
        title={t('directoryLinkRevokeTitle')}
        cancelLabel={t('cancel')}
        confirmLabel={t('setupRevoke')}
        loading={revoke.isPending}
        error={revoke.error && <Alert tone="danger">{problemText(revoke.error)}</Alert>}
        onCancel={() => setAsking(false)}
        onConfirm={() => revoke.mutate({ params: { id: organizationId, setupId } })}
      >
        {t('directoryLinkRevokeText')}
      </ConfirmDialog>
    </>
  )
}

function MadeLink({ made, onClose }: { made: { url: string; expiresAt: string }; onClose: () => void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <Dialog
      open
      title={t('directoryLinks')}
      closeLabel={t('close')}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('close')}
        </Button>
      }
    >
      <Alert tone="warn">{t('directoryLinkOnce', { time: dateTimeText(made.expiresAt, language) })}</Alert>
      <CopyField label={t('setupLink')} value={made.url} copyLabel={t('copy')} copiedLabel={t('copied')} />
    </Dialog>
  )
}
