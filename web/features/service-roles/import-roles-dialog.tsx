import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import FileUp from 'lucide-react/icons/file-up'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type RolesInFile, roleFiles } from '#contract/service-roles/role-files.ts'
import { useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { call } from '#web/lib/requests/api.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { RoleChanges } from './role-changes.tsx'
import { type RoleFileProblem, readRoleFile } from './role-file.ts'
import { RoleFileErrors } from './role-file-errors.tsx'
import styles from './service-roles.module.css'

const route = getRouteApi('/services/$serviceId/roles/from-file')

/** A file with all roles of a service: it says what would happen, and then does it. */
export function ImportRolesDialog() {
  const { t } = useTranslation()
  const { serviceId } = route.useParams()
  const params = { id: serviceId }
  const onClose = useCloseDialog('/services/$serviceId/roles')
  const picker = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<RoleFileProblem>()
  const check = useMutation({
    mutationFn: (input: RolesInFile) => call(roleFiles.dryRun, { params, input }),
    meta: { inline: true },
  })
  const save = useSave(roleFiles.replace, { inline: true })
  const list = check.variables
  const plan = check.data

  const take = async (file: File | undefined) => {
    if (!file) return
    check.reset()
    save.reset()
    const read = await readRoleFile(file)
    setProblem('problem' in read ? read.problem : undefined)
    if ('list' in read) check.mutate(read.list)
  }
  const carryOut = () => {
    if (!list || !plan) return
    const input = { ...list, version: plan.version }
    save.mutate(
      { params, input },
      {
        onSuccess: () => {
          toasts.show({ tone: 'success', title: t('rolesImportDone') })
          onClose()
        },
      },
    )
  }
  const error = check.error ?? save.error
  return (
    <Dialog
      open
      title={t('rolesImportTitle')}
      closeLabel={t('close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => onClose()}>{t('cancel')}</Button>
          {plan && plan.changes.length > 0 && (
            <Button variant="primary" loading={save.isPending} onClick={carryOut}>
              {t('rolesImport')}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.steps}>
        <p>{t('rolesImportText')}</p>
        <div>
          <Button icon={FileUp} loading={check.isPending} onClick={() => picker.current?.click()}>
            {t('rolesImportChooseFile')}
          </Button>
        </div>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".json,application/json"
          onChange={(event) => {
            void take(event.target.files?.[0])
            // The same file may be chosen again after it was corrected.
            event.target.value = ''
          }}
        />
        {problem && (
          <Alert tone="danger" live="alert">
            {t(problem)}
          </Alert>
        )}
        {error && <RoleFileErrors error={error} list={list} />}
        {plan && <RoleChanges {...plan} />}
      </div>
    </Dialog>
  )
}
