import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '#web/ui/button.tsx'
import { Dialog, type DialogProps } from '#web/ui/dialog.tsx'
import type { SchemaForm } from './form.ts'
import { FormProblem, FormProblems } from './form-problems.tsx'

type Shown = Pick<
  DialogProps,
  'title' | 'subtitle' | 'size' | 'backLabel' | 'initialFocus' | 'footerStart' | 'onClose' | 'children'
>
interface FormDialogProps<Draft extends FieldValues, Values> extends Shown {
  form: SchemaForm<Draft, Values>
  /** On the button that sends. Without it the reader may change nothing, and closes. */
  saveLabel: string | undefined
  /** Above everything, the summary of mistakes included. */
  notice?: DialogProps['children']
  /** Brings a field to the front that lies in a tab behind. */
  reveal?: ((name: string) => void) | undefined
}

/** A dialog that is one form: what is wrong above and below its fields, cancel and save in its footer. */
export function FormDialog<Draft extends FieldValues, Values>(props: FormDialogProps<Draft, Values>) {
  const { form, saveLabel, notice, reveal, onClose, children, ...dialog } = props
  const { t } = useTranslation()
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
      <FormProblems form={form} reveal={reveal} />
      {children}
      <FormProblem text={form.problem} />
    </Dialog>
  )
}
