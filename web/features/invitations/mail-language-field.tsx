import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { languageNames } from '#web/lib/texts/language.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'

/** The language of the mail with the invitation. */
export function MailLanguageField(select: ComponentProps<'select'>) {
  const { t } = useTranslation()
  return (
    <Field label={t('invitationLanguage')}>
      <Select {...select}>
        {languageNames.map(({ value, name }) => (
          <option key={value} value={value} lang={value}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  )
}
