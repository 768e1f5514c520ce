import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { TemplatePlace } from '#contract/email-templates/template-editor.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { SmsPreview } from './live-preview.tsx'
import { TemplateForm } from './template-form.tsx'
import { readTemplate } from './use-template-form.ts'

interface TemplateEditorProps {
  place: TemplatePlace
  phone: boolean
  /** Otherwise the text message is only shown. */
  editing: boolean
  onEnd: () => void
}

/** A text while it is changed, beside what it becomes. */
export function TemplateEditor({ place, phone, editing, onEnd }: TemplateEditorProps) {
  const { t } = useTranslation()
  const found = useQuery(readTemplate(place))
  return (
    <Loaded
      query={found}
      skeleton={
        <SkeletonGroup label={t('loading')}>
          <Skeleton shape="row" count={8} />
        </SkeletonGroup>
      }
    >
      {(template) =>
        editing ? (
          // Another place is another form.
          <TemplateForm key={JSON.stringify(place)} place={place} template={template} phone={phone} onEnd={onEnd} />
        ) : (
          <SmsPreview text={(template.published ?? template.inherited).body} />
        )
      }
    </Loaded>
  )
}
