import { useTranslation } from 'react-i18next'
import type { User } from '#contract/users.ts'
import { dateTimeText } from '#web/lib/dates.ts'
import { useLanguage } from '#web/lib/i18n.ts'
import { languageNames } from '#web/lib/language.ts'
import { useLoginMethodName } from '#web/lib/login-methods.ts'
import { DescriptionList } from '#web/ui/description-list.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { LastActive } from './last-active.tsx'
import { ContactFields, ManagedFields, NameFields, type UserSchemaForm } from './person-fields.tsx'
import type { UserAbilities } from './use-abilities.ts'

interface UserGeneralProps {
  form: UserSchemaForm
  user: User
  may: UserAbilities
  /** Changes something about the person without the form. */
  beside: (change: () => Promise<void>) => void
}

/** Who somebody is and how they sign in. What is not the reader's to change stands there as text. */
export function UserGeneral({ form, user, may, beside }: UserGeneralProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const methodName = useLoginMethodName()
  const moment = (at: string | null) => (at ? dateTimeText(at, language) : t('never'))
  const { ssn, phoneNumber, loginMethod, preferredLanguage, maxPassiveDays } = user
  const languageName = languageNames.find(({ value }) => value === preferredLanguage)?.name
  const texts = [
    !may.details && { term: t('firstName'), value: user.firstName },
    !may.details && { term: t('lastName'), value: user.lastName },
    may.administer && !may.details && { term: t('ssn'), value: ssn },
    may.administer && !may.details && { term: t('phoneNumber'), value: phoneNumber },
    may.administer && !may.manage && { term: t('loginMethod'), value: methodName(loginMethod) },
    may.administer &&
      !may.manage && { term: t('preferredLanguage'), value: languageName ?? t('preferredLanguageNone') },
    may.administer &&
      !may.manage &&
      maxPassiveDays !== null && { term: t('maxPassiveDays'), value: `${maxPassiveDays} ${t('daysUnit')}` },
    may.administer && { term: t('lastLogin'), value: moment(user.lastLogin) },
    may.administer && {
      term: t('lastActive'),
      value: <LastActive accountId={user.accountId} text={moment(user.lastActive)} beside={beside} />,
    },
  ]
  return (
    <>
      <Field label={t('email')} hint={t('emailNotEditable')}>
        <TextInput type="email" readOnly value={user.email} />
      </Field>
      {may.details && (
        <>
          <NameFields form={form} />
          <ContactFields form={form} ssn={ssn} own={may.own} />
        </>
      )}
      {may.manage && <ManagedFields form={form} />}
      <DescriptionList items={texts.filter((text) => text !== false)} />
    </>
  )
}
