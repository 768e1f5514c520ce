import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import Pencil from 'lucide-react/icons/pencil'
import Send from 'lucide-react/icons/send'
import { useTranslation } from 'react-i18next'
import {
  type EmailTemplateType,
  emailTemplateLabels,
  emailTemplates,
  emailTemplateTypes,
} from '#contract/email-templates/email-templates.ts'
import type { TemplatePlace } from '#contract/email-templates/template-editor.ts'
import type { Language } from '#contract/languages.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { languageNames } from '#web/lib/texts/language.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import styles from './email-templates.module.css'
import {
  type EmailTemplatesSearch,
  emailTemplatesSearch,
  type TemplateView,
  templateViews,
} from './email-templates-search.ts'
import { TemplateEditor } from './template-editor.tsx'
import { TemplatePreview } from './template-preview.tsx'

const page = getRouteApi('/email-templates')

const viewLabels = {
  desktop: 'templateViewDesktop',
  phone: 'templateViewPhone',
  text: 'templateViewText',
  sms: 'templateViewSms',
} as const

/** The mails that the portal sends, with sample values, and the way to change their texts. */
export function EmailTemplatesPage() {
  const { t } = useTranslation()
  const ownLanguage = useLanguage()
  const { type = 'user-invite', language = ownLanguage, view: chosenView, organizationId, edit } = page.useSearch()
  const view: TemplateView = chosenView ?? 'desktop'
  const navigate = page.useNavigate()
  const choose: Choose = (changed) => {
    // The same text at another width: what is being written stays.
    const ignoreBlocker = 'view' in changed && view !== 'sms' && changed.view !== 'sms'
    const search = (present: EmailTemplatesSearch) => emailTemplatesSearch({ ...present, ...changed })
    void navigate({ search, replace: true, ignoreBlocker })
  }
  const chosen = { type, language, view, organizationId }
  const place: TemplatePlace = {
    ...{ type, language, organizationId: organizationId ?? null },
    channel: view === 'sms' ? 'sms' : 'mail',
  }
  return (
    <AdministrationPage
      action={
        <>
          {view !== 'sms' && <SendTest {...chosen} />}
          {!edit && (
            <Button variant="primary" icon={Pencil} onClick={() => choose({ edit: 'true' })}>
              {t('templateEdit')}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.page} data-editing={Boolean(edit)}>
        <Choices {...chosen} choose={choose} />
        {edit || view === 'sms' ? (
          <TemplateEditor
            place={place}
            phone={view === 'phone'}
            editing={Boolean(edit)}
            onEnd={() => choose({ edit: undefined })}
          />
        ) : (
          <TemplatePreview {...chosen} />
        )}
      </div>
    </AdministrationPage>
  )
}

interface Chosen {
  type: EmailTemplateType
  language: Language
  view: TemplateView
  organizationId: string | undefined
}
type Choose = (changed: Partial<Record<keyof EmailTemplatesSearch, string | undefined>>) => void

function Choices({ type, language, view, organizationId, choose }: Chosen & { choose: Choose }) {
  const { t } = useTranslation()
  const { data = [] } = useQuery(query(organizations.plainList, { query: { sort: 'name', sortDirection: 'asc' } }))
  return (
    <div className={styles.choices}>
      <Field label={t('emailTemplate')}>
        <Select value={type} onChange={({ target }) => choose({ type: target.value })}>
          {emailTemplateTypes.map((one) => (
            <option key={one} value={one}>
              {t(emailTemplateLabels[one])}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('language')}>
        <Select value={language} onChange={({ target }) => choose({ language: target.value })}>
          {languageNames.map(({ value, name }) => (
            <option key={value} value={value} lang={value}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('templateFor')}>
        <Select
          value={organizationId ?? ''}
          onChange={({ target }) => choose({ organizationId: target.value || undefined })}
        >
          <option value="">{t('templateForAll')}</option>
          {data.map(({ organizationId: id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <fieldset className={styles.views}>
        <legend>{t('templateView')}</legend>
        {templateViews
          .filter((one) => one !== 'sms' || type === 'login-code')
          .map((one) => (
            <label key={one} className={styles.view}>
              <input type="radio" name="view" checked={one === view} onChange={() => choose({ view: one })} />
              {t(viewLabels[one])}
            </label>
          ))}
      </fieldset>
      <p className={styles.hint}>{t('templateSampleHint')}</p>
    </div>
  )
}

function SendTest({ type, language, organizationId }: Chosen) {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const { mutate, isPending } = useSave(emailTemplates.sendTest)
  const onSuccess = () => toasts.show({ tone: 'success', title: t('templateTestSent', { email: me.email }) })
  return (
    <Button
      icon={Send}
      loading={isPending}
      onClick={() => mutate({ params: { type }, input: { language, organizationId } }, { onSuccess })}
    >
      {t('templateSendTest')}
    </Button>
  )
}
