import { getRouteApi } from '@tanstack/react-router'
import Send from 'lucide-react/icons/send'
import { useTranslation } from 'react-i18next'
import {
  type EmailTemplateType,
  emailTemplateLabels,
  emailTemplates,
  emailTemplateTypes,
} from '#contract/email-templates.ts'
import type { Language } from '#contract/languages.ts'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { useLanguage } from '#web/lib/i18n.ts'
import { languageNames } from '#web/lib/language.ts'
import { useSignedIn } from '#web/lib/signed-in.tsx'
import { useSave } from '#web/lib/use-save.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import styles from './email-templates.module.css'
import { emailTemplatesSearch, type TemplateView, templateViews } from './email-templates-search.ts'
import { TemplatePreview } from './template-preview.tsx'

const page = getRouteApi('/email-templates')

const viewLabels = {
  desktop: 'templateViewDesktop',
  phone: 'templateViewPhone',
  text: 'templateViewText',
} as const

/** The mails that the portal sends, with sample values. */
export function EmailTemplatesPage() {
  const ownLanguage = useLanguage()
  const { type = 'user-invite', language = ownLanguage, view = 'desktop' } = page.useSearch()
  return (
    <AdministrationPage action={<SendTest type={type} language={language} />}>
      <div className={styles.page}>
        <Choices type={type} language={language} view={view} />
        <TemplatePreview type={type} language={language} view={view} />
      </div>
    </AdministrationPage>
  )
}

interface Chosen {
  type: EmailTemplateType
  language: Language
  view: TemplateView
}

function Choices({ type, language, view }: Chosen) {
  const { t } = useTranslation()
  const navigate = page.useNavigate()
  const choose = (changed: Partial<Record<keyof Chosen, string>>) =>
    void navigate({ search: (present) => emailTemplatesSearch({ ...present, ...changed }), replace: true })
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
      <fieldset className={styles.views}>
        <legend>{t('templateView')}</legend>
        {templateViews.map((one) => (
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

function SendTest({ type, language }: Pick<Chosen, 'type' | 'language'>) {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const { mutate, isPending } = useSave(emailTemplates.sendTest)
  const onSuccess = () => toasts.show({ tone: 'success', title: t('templateTestSent', { email: me.email }) })
  return (
    <Button
      variant="primary"
      icon={Send}
      loading={isPending}
      onClick={() => mutate({ params: { type }, input: { language } }, { onSuccess })}
    >
      {t('templateSendTest')}
    </Button>
  )
}
