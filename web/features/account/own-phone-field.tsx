import { useTranslation } from 'react-i18next'
import { NumberStatus } from '#web/lib/texts/number-status.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import type { useOwnDetails } from './use-own-details.ts'

interface OwnPhoneFieldProps {
  form: ReturnType<typeof useOwnDetails>['form']
  isUnconfirmed: boolean
}

/** The own phone number, with a badge while it gets no codes. */
export function OwnPhoneField({ form: { field, register }, isUnconfirmed }: OwnPhoneFieldProps) {
  const { t } = useTranslation()
  return (
    <Field
      {...field('phoneNumber')}
      hint={
        <>
          {t('phoneNumberHint')} <NumberStatus confirmed={isUnconfirmed ? false : null} />
        </>
      }
      optionalText={t('optional')}
    >
      <TextInput type="tel" autoComplete="tel" {...register('phoneNumber')} />
    </Field>
  )
}
