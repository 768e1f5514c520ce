import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { email } from '#contract/fields/fields.ts'
import { endsAfterBegin, optionalDay } from '#contract/fields/period.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { FormGrid } from '#web/ui/frame/page.tsx'

const schema = z.object({ email, validFrom: optionalDay, validUntil: optionalDay }).check(endsAfterBegin)
type Input = z.infer<typeof schema>

interface MemberDialogProps {
  title: string
  /** Whose member it has to be. */
  organization: string
  text?: ReactNode
  /** Below the last day. */
  daysHint?: string | undefined
  saveLabel: string
  save: (input: Input) => Promise<void>
  onClose: () => void
}

/** Asks for a member of an organisation by address, so that nobody needs a list of them, with a first and a last day. */
export function MemberDialog({ title, organization, text, daysHint, saveLabel, save, onClose }: MemberDialogProps) {
  const { t } = useTranslation()
  const form = useSchemaForm({
    schema,
    labels: { email: 'email', validFrom: 'firstDay', validUntil: 'lastDay' },
    values: { email: '', validFrom: '', validUntil: '' },
    save: async (input) => {
      await save(input).catch(atAddress)
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      size="small"
      title={title}
      subtitle={organization}
      onClose={onClose}
      initialFocus="first"
      saveLabel={saveLabel}
    >
      {text && <p>{text}</p>}
      <Field {...form.field('email')} hint={t('handOutServiceHint', { name: organization })}>
        <TextInput type="email" autoComplete="off" spellCheck={false} {...form.register('email')} />
      </Field>
      <FormGrid columns>
        <Field {...form.field('validFrom')} optionalText={t('optional')}>
          <TextInput type="date" {...form.register('validFrom')} />
        </Field>
        <Field {...form.field('validUntil')} optionalText={t('optional')} hint={daysHint}>
          <TextInput type="date" {...form.register('validUntil')} />
        </Field>
      </FormGrid>
    </FormDialog>
  )
}

const noSuchColleague: MessageKey = 'noSuchColleague'

/** Shows an unknown address as an error of the field. */
function atAddress(error: unknown): never {
  if (!(error instanceof ApiProblem) || error.status !== 404) throw error
  throw new ApiProblem(404, error.message, { issues: [{ path: 'email', message: noSuchColleague }] })
}
