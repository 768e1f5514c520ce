import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EditedTemplate, TemplatePlace } from '#contract/email-templates/template-editor.ts'
import { placeholdersOf } from '#contract/email-templates/template-texts.ts'
import { ChangedByOthers } from '#web/lib/forms/changed-by-others.tsx'
import { FormProblem, FormProblems } from '#web/lib/forms/form-problems.tsx'
import { LeaveGuard } from '#web/lib/forms/leave-guard.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { Card, FormGrid } from '#web/ui/frame/page.tsx'
import { LivePreview, SmsPreview } from './live-preview.tsx'
import { PlaceholderList } from './placeholder-list.tsx'
import styles from './template-editor.module.css'
import { TemplateVersions } from './template-versions.tsx'
import { useTemplateForm } from './use-template-form.ts'

interface TemplateFormProps {
  place: TemplatePlace
  template: EditedTemplate
  phone: boolean
  onEnd: () => void
}

/** The form of a text with its placeholders, what it becomes, and its earlier versions. */
export function TemplateForm({ place, template, phone, onEnd }: TemplateFormProps) {
  const { t } = useTranslation()
  const { form, saveDraft, publish, goBack, publishing } = useTemplateForm(place, template)
  const { register, field } = form
  const text = form.form.watch()
  const sms = place.channel === 'sms'
  const placeholders = placeholdersOf(place.type, place.channel)
  const hasButton = Object.hasOwn(placeholders, 'button')
  return (
    <div className={styles.editor}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          saveDraft()
        }}
      >
        <Card>
          <FormGrid>
            <State template={template} />
            <ChangedByOthers form={form} />
            <FormProblems form={form} />
            {!sms && (
              <Field {...field('subject')}>
                <TextInput autoComplete="off" lang={place.language} {...register('subject')} />
              </Field>
            )}
            <Field {...field('body')} hint={t(sms ? 'templateSmsHint' : 'templateBodyHint')}>
              <TextArea rows={sms ? 5 : 14} lang={place.language} {...register('body')} />
            </Field>
            {hasButton && (
              <Field {...field('button')}>
                <TextInput autoComplete="off" lang={place.language} {...register('button')} />
              </Field>
            )}
            <PlaceholderList placeholders={placeholders} text={`${text.subject}\n${text.body}`} />
            <FormProblem text={form.problem} />
            <div className={styles.buttons}>
              <Button onClick={onEnd}>{t('templateEditEnd')}</Button>
              {(template.published || template.draft) && <GoBack onConfirm={goBack} />}
              <Button type="submit" loading={form.saving && !publishing}>
                {t('templateSaveDraft')}
              </Button>
              {(template.draft || form.dirty) && (
                <Button variant="primary" loading={publishing} onClick={publish}>
                  {t('templatePublish')}
                </Button>
              )}
            </div>
          </FormGrid>
        </Card>
      </form>
      {sms ? <SmsPreview text={text.body} /> : <LivePreview place={place} text={text} phone={phone} />}
      <TemplateVersions
        template={template}
        text={text}
        onRestore={({ subject, body, button }) => {
          for (const [name, value] of Object.entries({ subject, body, button }))
            form.form.setValue(name as 'subject', value, { shouldDirty: true, shouldValidate: true })
        }}
      />
      <LeaveGuard dirty={form.dirty} />
    </div>
  )
}

function State({ template: { draft, published } }: Pick<TemplateFormProps, 'template'>) {
  const { t } = useTranslation()
  return (
    <p className={styles.states}>
      <Badge tone={published ? 'ok' : 'neutral'}>
        {t(published ? 'templateStatePublished' : 'templateStateInherited')}
      </Badge>
      {draft && <Badge tone="warn">{t('templateStateDraft')}</Badge>}
    </p>
  )
}

function GoBack({ onConfirm }: { onConfirm: () => Promise<void> }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const confirm = () =>
    void onConfirm().then(
      () => setOpen(false),
      () => setOpen(false),
    )
  return (
    <>
      <Button variant="risky" onClick={() => setOpen(true)}>
        {t('templateUseInherited')}
      </Button>
      <ConfirmDialog
        open={open}
        title={t('templateUseInherited')}
        cancelLabel={t('cancel')}
        confirmLabel={t('templateUseInherited')}
        onCancel={() => setOpen(false)}
        onConfirm={confirm}
      >
        {t('templateUseInheritedText')}
      </ConfirmDialog>
    </>
  )
}
