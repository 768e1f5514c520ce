import { useQueryClient } from '@tanstack/react-query'
import Undo2 from 'lucide-react/icons/undo-2'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type SetupDetails, samlSetups, setupApproval, setupApprovalLabels } from '#contract/saml-setups/saml-setups.ts'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Switch } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { RejectSetupDialog } from './reject-setup-dialog.tsx'
import { RevokeSetup } from './revoke-setup.tsx'
import { SetupDraft } from './setup-draft.tsx'

/** The draft as it was handed in, and what a super user adds to it. */
export function ApproveSetup({ setup, onClose }: { setup: SetupDetails; onClose: CloseDialog }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const approve = useSave(samlSetups.approve, { inline: true })
  const [rejecting, setRejecting] = useState(false)
  const [sameIssuer, setSameIssuer] = useState(false)
  const { setupId, organizationName, tested, version } = setup
  const form = useSchemaForm({
    schema: setupApproval,
    labels: setupApprovalLabels,
    values: { name: organizationName, domain: '', active: tested?.passed ?? false },
    save: async (input) => {
      try {
        await approve.mutateAsync({ params: { id: setupId }, input: { ...input, version, sameIssuer } })
      } catch (error) {
        // Another draft, or another configuration: it is shown before the next attempt.
        if (error instanceof ApiProblem && error.status === 409) void client.invalidateQueries()
        throw error
      }
      toasts.show({ tone: 'success', title: t('created', { name: input.name }) })
      onClose({ saved: true })
    },
  })
  const active = form.field('active')
  return (
    <>
      <FormDialog
        form={form}
        size="wide"
        title={t('setupReview')}
        subtitle={organizationName}
        onClose={onClose}
        saveLabel={t('setupApprove')}
        footerStart={
          <>
            <RevokeSetup setup={setup} onClose={onClose} />
            <Button icon={Undo2} onClick={() => setRejecting(true)}>
              {t('setupReject')}
            </Button>
          </>
        }
      >
        <SetupDraft setup={setup} />
        <Field {...form.field('name')}>
          <TextInput autoComplete="off" {...form.register('name')} />
        </Field>
        <Field {...form.field('domain')} hint={t('domainHint')}>
          <TextInput type="url" autoComplete="off" spellCheck={false} {...form.register('domain')} />
        </Field>
        <Switch
          id={active.id}
          label={active.label}
          hint={t('setupActiveHint')}
          error={active.error}
          {...form.register('active')}
        />
        {setup.sameIssuer.length > 0 && (
          <>
            <Alert tone="warn" title={t('setupSameIssuer')}>
              {t('setupSameIssuerText', { names: setup.sameIssuer.map(({ name }) => name).join(', ') })}
            </Alert>
            <Checkbox
              label={t('setupSameIssuerRight')}
              checked={sameIssuer}
              onChange={({ target }) => setSameIssuer(target.checked)}
            />
          </>
        )}
      </FormDialog>
      {rejecting && (
        <RejectSetupDialog
          setup={setup}
          onClose={() => setRejecting(false)}
          onRejected={() => onClose({ saved: true })}
        />
      )}
    </>
  )
}
