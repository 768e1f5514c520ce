import { useTranslation } from 'react-i18next'
import type { ReviewedService } from '#contract/access-reviews/review-answers.ts'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import styles from './access-review.module.css'
import type { ReviewSearch } from './review-search.ts'

interface FilterFieldsProps {
  search: ReviewSearch & { decision: NonNullable<ReviewSearch['decision']> }
  services: readonly ReviewedService[]
  onChange: (changed: ReviewSearch) => void
}

/** A field for each filter. A choice takes effect immediately. */
export function ReviewFilterFields({ search, services, onChange }: FilterFieldsProps) {
  const { t } = useTranslation()
  const choice = <Name extends keyof ReviewSearch>(
    name: Name,
    label: string,
    options: readonly (readonly [value: string, text: string])[],
    { always }: { always?: boolean } = {},
  ) => (
    <Field label={label} key={name}>
      <Select
        value={search[name] ?? ''}
        onChange={(event) => onChange({ [name]: event.target.value || undefined } as ReviewSearch)}
      >
        {!always && <option value="">{t('filterAny')}</option>}
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </Select>
    </Field>
  )
  const withCount = ({ name, done, total }: ReviewedService) => t('reviewServiceProgress', { name, done, total })
  return (
    <div className={styles.filters}>
      {choice(
        'decision',
        t('reviewDecision'),
        [
          ['undecided', t('reviewFilterUndecided')],
          ['takeBack', t('reviewToTakeBack')],
          ['keep', t('reviewKept')],
          ['all', t('reviewFilterAll')],
        ],
        { always: true },
      )}
      {choice(
        'serviceId',
        t('service'),
        services.map((one) => [one.serviceId, withCount(one)]),
      )}
      {choice('lastUse', t('lastUsed'), [
        ['unknown', t('reviewUseUnknown')],
        ['over180Days', t('reviewUseOver', { days: 180 })],
        ['over90Days', t('reviewUseOver', { days: 90 })],
        ['within90Days', t('reviewUseWithin', { days: 90 })],
        ['within30Days', t('reviewUseWithin', { days: 30 })],
      ])}
      {choice('role', t('reviewServiceRole'), [
        ['serviceAdmin', t('roleServiceAdmin')],
        ['regular', t('roleRegular')],
      ])}
      {choice('people', t('reviewPeople'), [
        ['guests', t('reviewGuests')],
        ['organizationAdmins', t('reviewAdmins')],
      ])}
    </div>
  )
}
