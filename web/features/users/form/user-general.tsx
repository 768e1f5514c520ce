import { useTranslation } from 'react-i18next'
import { personLabels } from '#contract/users/user-forms.ts'
import type { User } from '#contract/users/users.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { languageNames } from '#web/lib/texts/language.ts'
import { useLoginMethodName } from '#web/lib/texts/login-methods.ts'
import { NumberStatus } from '#web/lib/texts/number-status.tsx'
import { Alert } from '#web/ui/alert.tsx'
import { DescriptionList } from '#web/ui/description-list.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { LastActive } from '../actions/last-active.tsx'
import type { UserAbilities } from '../use-abilities.ts'
import { ContactFields, ManagedFields, NameFields, type UserSchemaForm } from './person-fields.tsx'

interface UserGeneralProps {
  form: UserSchemaForm
  user: User
  may: UserAbilities
  /** Runs a change outside the form, and updates the form's version afterwards. */
  beside: (change: () => Promise<void>) => void
}

/** Personal details and sign-in method. Values that the signed-in user may not change are shown as text. */
export function UserGeneral({ form, user, may, beside }: UserGeneralProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const methodName = useLoginMethodName()
  const moment = (at: string | null) => (at ? dateTimeText(at, language) : t('never'))
  const { ssn, ssnConfirmed, phoneNumber, loginMethod, preferredLanguage, maxPassiveDays } = user
  const { lastLogin, lastActive } = user
  const languageName = languageNames.find(({ value }) => value === preferredLanguage)?.name
  // If the signed-in user may not edit the details, the API omits values: do not show those as empty.
  const whole = may.details
  const texts = [
    !whole && user.firstName && { term: t(personLabels.firstName), value: user.firstName },
    !whole && user.lastName && { term: t(personLabels.lastName), value: user.lastName },
    may.permissions &&
      !whole &&
      ssn && {
        term: t(personLabels.ssn),
        value: (
          <>
            {ssn} <NumberStatus confirmed={ssnConfirmed} />
          </>
        ),
      },
    may.permissions && !whole && phoneNumber && { term: t(personLabels.phoneNumber), value: phoneNumber },
    may.permissions &&
      !may.manage &&
      loginMethod && { term: t(personLabels.loginMethod), value: methodName(loginMethod) },
    may.permissions &&
      !may.manage &&
      (whole || languageName) && {
        term: t(personLabels.preferredLanguage),
        value: languageName ?? t('preferredLanguageNone'),
      },
    may.permissions &&
      !may.manage &&
      maxPassiveDays !== null && { term: t(personLabels.maxPassiveDays), value: `${maxPassiveDays} ${t('daysUnit')}` },
    may.permissions && (whole || lastLogin) && { term: t('lastLogin'), value: moment(lastLogin) },
    (may.administer || (may.permissions && lastActive)) &&
      !may.invited && {
        term: t('lastActive'),
        value: !may.administer ? (
          moment(lastActive)
        ) : (
          <LastActive
            accountId={user.accountId}
            text={whole || lastActive ? moment(lastActive) : undefined}
            beside={beside}
          />
        ),
      },
  ]
  return (
    <>
      {user.emailRefusedAt && (
        <Alert tone="danger" title={t('emailRefused')}>
          {t('emailRefusedText', { date: dateTimeText(user.emailRefusedAt, language) })}
        </Alert>
      )}
      {user.emailProven === false && (
        <Alert tone="warn" title={t('addressUnproven')}>
          {t('addressUnprovenText', { email: user.email })}{' '}
          {user.openedFor && t('addressUnprovenBy', { name: user.openedFor.name })}
        </Alert>
      )}
      <Field label={t(personLabels.email)} hint={t('emailNotEditable')}>
        <TextInput type="email" readOnly value={user.email} />
      </Field>
      {may.details && (
        <>
          <NameFields form={form} />
          <ContactFields
            form={form}
            ssn={ssn}
            ssnConfirmed={ssnConfirmed}
            own={may.own}
            reveal={may.manage ? user.accountId : undefined}
          />
        </>
      )}
      {may.manage && <ManagedFields form={form} compact />}
      <DescriptionList items={texts.filter((text) => !!text)} />
    </>
  )
}
