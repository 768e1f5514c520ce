import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type SetupDetails, samlSetups } from '#contract/saml-setups/saml-setups.ts'
import { type CloseDialog, useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { DescriptionList } from '#web/ui/description-list.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ApproveSetup } from './approve-setup.tsx'
import { RevokeSetup } from './revoke-setup.tsx'
import { SetupDraft } from './setup-draft.tsx'
import { SetupState } from './setup-state.tsx'

const route = getRouteApi('/saml-configuration/setups/$setupId')

/** A link for the IT of an organisation: what was handed in, to approve or send back. */
export function SetupDialog() {
  const { t } = useTranslation()
  const { setupId } = route.useParams()
  const onClose = useCloseDialog('/saml-configuration')
  const found = useQuery(freshQuery(samlSetups.read, { params: { id: setupId } }))
  return (
    <LoadingDialog query={found} size="wide" title={t('setupReview')} onClose={onClose}>
      {(setup) =>
        setup.state === 'handedIn' ? (
          <ApproveSetup setup={setup} onClose={onClose} />
        ) : (
          <Undecidable setup={setup} onClose={onClose} />
        )
      }
    </LoadingDialog>
  )
}

/** Nothing was handed in, or it has been decided on. */
function Undecidable({ setup, onClose }: { setup: SetupDetails; onClose: CloseDialog }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const isOpen = setup.state === 'open'
  return (
    <Dialog
      open
      size="wide"
      title={t('setupReview')}
      subtitle={setup.organizationName}
      closeLabel={t('close')}
      onClose={() => onClose()}
      footerStart={
        (isOpen || (setup.state === 'approved' && setup.directory)) && <RevokeSetup setup={setup} onClose={onClose} />
      }
      footer={<Button onClick={() => onClose()}>{t('close')}</Button>}
    >
      <DescriptionList
        items={[
          { term: t('setupState'), value: <SetupState setup={setup} /> },
          { term: t('setupExpires'), value: dateTimeText(setup.expiresAt, language) },
          ...(setup.directory ? [{ term: t('organizationDirectory'), value: t('setupLinkDirectory') }] : []),
        ]}
      />
      <Alert tone="info">{t(isOpen ? 'setupNothingYet' : 'setupIsDecided')}</Alert>
      {isOpen && setup.rejection && <p>{t('setupLastReason', { reason: setup.rejection })}</p>}
      <SetupDraft setup={setup} />
    </Dialog>
  )
}
