import { useTranslation } from 'react-i18next'
import type { Language } from '#contract/roles.ts'
import { useOwnLanguage } from '#web/lib/session/own-language.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { languageNames } from '#web/lib/texts/language.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { Card } from '#web/ui/frame/page.tsx'

/** The language of the pages and of mail. A choice is saved immediately. */
export function OwnLanguage() {
  const { t } = useTranslation()
  const language = useLanguage()
  const choose = useOwnLanguage()
  return (
    <Card>
      <Field label={t('language')} hint={t('languageHint')}>
        <Select value={language} onChange={(event) => choose(event.target.value as Language)}>
          {languageNames.map(({ value, name }) => (
            <option key={value} value={value} lang={value}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
    </Card>
  )
}
