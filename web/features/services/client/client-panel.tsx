import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { FormProblem } from '#web/lib/forms/form-problems.tsx'
import { SaveBar } from '#web/lib/forms/save-bar.tsx'
import { Button } from '#web/ui/button.tsx'
import { FormActions, FormGrid } from '#web/ui/frame/page.tsx'
import styles from './client.module.css'
import type { useClientForm } from './use-client-form.ts'

interface ClientPanelProps {
  form: ReturnType<typeof useClientForm>['form']
  children: ReactNode
}

/** A tab's part of the client's form; saving any of them saves all. */
export function ClientPanel({ form, children }: ClientPanelProps) {
  const { t } = useTranslation()
  const saveButton = useRef<HTMLButtonElement>(null)
  return (
    <form noValidate onSubmit={form.submit}>
      <div className={styles.panel}>
        <FormGrid>
          {children}
          <FormProblem text={form.problem} />
          {form.dirty ? (
            <SaveBar text={t('unsavedChanges')} saving={form.saving} saveButton={saveButton} onDiscard={form.discard} />
          ) : (
            <FormActions>
              <Button ref={saveButton} type="submit" variant="primary" loading={form.saving}>
                {t('save')}
              </Button>
            </FormActions>
          )}
        </FormGrid>
      </div>
    </form>
  )
}
