import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type EditedTemplate,
  type TemplatePlace,
  templateEditor,
  templateForm,
  templateLabels,
} from '#contract/email-templates/template-editor.ts'
import type { TemplateText } from '#contract/email-templates/template-texts.ts'
import { useEntityForm } from '#web/lib/forms/entity-form.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { toasts } from '#web/ui/toast/toast-store.ts'

const blank: TemplateText = { subject: '', body: '', button: '' }
const textOf = ({ draft, published, inherited }: Partial<EditedTemplate>) => draft ?? published ?? inherited ?? blank

/** The text of a place as the editor asks for it. */
export const readTemplate = ({ type, language, channel, organizationId }: TemplatePlace) =>
  freshQuery(templateEditor.read, {
    params: { type },
    query: { language, channel, organizationId: organizationId ?? undefined },
  })

/** The form of a text: it saves drafts, and publishes what is typed as one act. */
export function useTemplateForm(place: TemplatePlace, template: EditedTemplate) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const draft = useSave(templateEditor.saveDraft, { inline: true })
  const publish = useSave(templateEditor.publish)
  const { type, ...at } = place
  const params = { type }
  const reload = () => client.fetchQuery(readTemplate(place))
  const publishes = useRef(false)

  const form = useEntityForm({
    schema: templateForm(place),
    labels: templateLabels,
    entity: template,
    draftOf: textOf,
    reload,
    save: async (text, { version }) => {
      await draft.mutateAsync({ params, input: { ...at, ...text, version } })
      form.rebase(await reload(), text)
      if (publishes.current) await publishDraft()
      else toasts.show({ tone: 'success', title: t('templateDraftSaved') })
    },
  })
  const change = async (inherited: boolean) => {
    await publish.mutateAsync({ params, input: { ...at, inherited } })
    const present = await reload()
    form.rebase(present, textOf(present))
    toasts.show({ tone: 'success', title: t(inherited ? 'templateStateInherited' : 'templatePublished') })
  }
  // A failure has its own message.
  const publishDraft = () => change(false).catch(() => undefined)
  const submit = (andPublish: boolean) => {
    publishes.current = andPublish
    form.submit()
  }
  return {
    form,
    saveDraft: () => submit(false),
    /** What is typed and not yet saved is saved first. */
    publish: () => (form.dirty ? submit(true) : void publishDraft()),
    goBack: () => change(true),
    publishing: publish.isPending || (form.saving && publishes.current),
  }
}
