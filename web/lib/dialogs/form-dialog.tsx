import { createContext, use, useLayoutEffect, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ChangedByOthers, type Describe } from '#web/lib/forms/changed-by-others.tsx'
import type { EntityForm } from '#web/lib/forms/entity-form.ts'
import type { SchemaForm } from '#web/lib/forms/form.ts'
import { FormProblem, FormProblems } from '#web/lib/forms/form-problems.tsx'
import { LeaveGuard } from '#web/lib/forms/leave-guard.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog, type DialogProps } from '#web/ui/dialog.tsx'

type Shown = Pick<
  DialogProps,
  'title' | 'subtitle' | 'size' | 'backLabel' | 'initialFocus' | 'footerStart' | 'onClose' | 'children'
>
interface FormDialogProps<Draft extends FieldValues, Values> extends Shown {
  form: SchemaForm<Draft, Values> | EntityForm<Draft, Values>
  /** On the button that sends. Without it the reader may change nothing, and closes. */
  saveLabel: string | undefined
  /** Above everything, the summary of mistakes included. */
  notice?: DialogProps['children']
  /** Shows the tab that a field is in. */
  reveal?: ((name: string) => void) | undefined
  /** What somebody else changed meanwhile, where a label and a text do not say it. */
  describe?: Describe | undefined
  /** Whether unsaved changes are asked about; addresses below `within` leave the dialog open. */
  guard?: boolean | { within: string }
}

const ReadOnly = createContext<(shown: boolean) => void>(() => undefined)

/** For a part of the dialog that is only read, such as a history: while it is shown, there is nothing to save. */
export function useNothingToSave(shown: boolean): void {
  const setReadOnly = use(ReadOnly)
  useLayoutEffect(() => {
    setReadOnly(shown)
    return () => setReadOnly(false)
  }, [setReadOnly, shown])
}

/** A dialog that is one form: what is wrong above and below its fields, cancel and save in its footer. */
export function FormDialog<Draft extends FieldValues, Values>(props: FormDialogProps<Draft, Values>) {
  const { form, saveLabel: usualSave, notice, reveal, describe, guard = true, onClose, children, ...dialog } = props
  const { t } = useTranslation()
  const [readOnly, setReadOnly] = useState(false)
  const saveLabel = readOnly ? undefined : usualSave
  return (
    <Dialog
      open
      {...dialog}
      closeLabel={t('close')}
      onClose={onClose}
      form={{ onSubmit: form.submit }}
      footer={
        <>
          <Button onClick={() => onClose()}>{t(saveLabel ? 'cancel' : 'close')}</Button>
          {saveLabel && (
            <Button type="submit" variant="primary" loading={form.saving}>
              {saveLabel}
            </Button>
          )}
        </>
      }
    >
      {notice}
      {'conflict' in form && <ChangedByOthers form={form} describe={describe} />}
      <FormProblems form={form} reveal={reveal} />
      <ReadOnly value={setReadOnly}>{children}</ReadOnly>
      <FormProblem text={form.problem} />
      {guard && <LeaveGuard dirty={form.dirty} within={guard === true ? undefined : guard.within} />}
    </Dialog>
  )
}
